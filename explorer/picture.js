// A picture, pooled as it is looked at: RGBA bytes of a canvas are u8 in NHWC.
import { CODES } from "./job.js";
import { TYPE } from "./library.js";

const MOST_PIXELS = 1 << 20; // a larger picture is made smaller
const LEAST_TIME = 30; // ms: so long calls are repeated for the time that is shown
const $ = (id) => document.getElementById(id);

// Slopes, edges, fine lines and points, in which windows and steps can be seen.
function testPicture() {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [480, 320];
  const c = canvas.getContext("2d");
  const sky = c.createLinearGradient(0, 0, 0, 320);
  ["#10245c", "#3f6fc4", "#f3b184", "#f7e6c8"].forEach((color, i) =>
    sky.addColorStop(i / 3, color),
  );
  c.fillStyle = sky;
  c.fillRect(0, 0, 480, 320);
  const disc = (x, y, radius, color) => {
    c.fillStyle = color;
    c.beginPath();
    c.arc(x, y, radius, 0, 2 * Math.PI);
    c.fill();
  };
  disc(360, 170, 46, "#fff3c4");
  for (let i = 0; i < 90; ++i)
    disc((i * 197) % 480, (i * 89) % 130, 0.6 + (i % 3) * 0.5, "#ffffff");
  const hills = [
    ["#55608f", 0.013, 34, 225],
    ["#2f3a5f", 0.021, 26, 252],
    ["#141a2e", 0.034, 16, 285],
  ];
  for (const [color, wave, height, base] of hills) {
    c.fillStyle = color;
    c.beginPath();
    c.moveTo(0, 320);
    for (let x = 0; x <= 480; ++x) c.lineTo(x, base - height * Math.sin(x * wave + base));
    c.lineTo(480, 320);
    c.fill();
  }
  for (let i = 0; i < 12; ++i) {
    // lines that come ever closer
    c.fillStyle = "#ffffff";
    c.fillRect(16 + i * (14 - i * 0.55), 262, Math.max(1, 6 - i * 0.5), 40);
  }
  c.font = "bold 30px sans-serif";
  c.fillText("3 × 3", 185, 296);
  return c.getImageData(0, 0, 480, 320);
}

function fieldsOf(picture, op, kernel, strides) {
  return {
    op: CODES.op[op],
    layout: CODES.layout.nhwc,
    rank: 2,
    x_type: TYPE.u8,
    y_type: TYPE.u8,
    channels: 4,
    "input[0]": picture.height,
    "input[1]": picture.width,
    "kernel[0]": kernel,
    "kernel[1]": kernel,
    "strides[0]": strides,
    "strides[1]": strides,
    auto_pad: CODES.autoPad.same_upper,
  };
}

export function startPicture(library) {
  let picture = testPicture();
  const draw = (canvas, data) => {
    [canvas.width, canvas.height] = [data.width, data.height];
    canvas.getContext("2d").putImageData(data, 0, 0);
  };

  const pool = () => {
    const [op, kernel, strides] = ["op", "kernel", "strides"].map(
      (name) => $(`picture-${name}`).value,
    );
    $("picture-kernel-text").textContent = `${kernel} × ${kernel}`;
    $("picture-strides-text").textContent = strides;
    const plan = library.plan(
      CODES.dialect.onnx,
      fieldsOf(picture, op, Number(kernel), Number(strides)),
    );
    const x = new Uint8Array(picture.data.buffer);
    const first = library.run(plan, x);
    const repeat = Math.min(200, Math.ceil(LEAST_TIME / Math.max(first.time, 0.01)));
    const { y, time } = library.run(plan, x, repeat);
    const [height, width] = plan.output;
    draw($("picture-y"), new ImageData(new Uint8ClampedArray(y.buffer), width, height));
    const rate = (picture.width * picture.height) / (time * 1e3);
    $("picture-text").textContent =
      `${picture.width} × ${picture.height} → ${width} × ${height} in ${time.toFixed(2)} ms: ` +
      `${rate.toFixed(0)} million pixels a second (${plan.explain.split(",")[0]})`;
  };

  let asked = false; // one call for each frame that is drawn, however fast a slider moves
  const soon = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      pool();
    });
  };
  const show = () => {
    draw($("picture-x"), picture);
    pool();
  };
  for (const name of ["op", "kernel", "strides"])
    $(`picture-${name}`).addEventListener("input", soon);
  $("picture-file").addEventListener("change", async (event) => {
    if (!event.target.files[0]) return;
    try {
      picture = await readPicture(event.target.files[0]);
      show();
    } catch {
      $("picture-text").textContent = "This file is no picture that the browser can read.";
    }
  });
  show();
}

async function readPicture(file) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (bitmap.width * bitmap.height)));
  const [width, height] = [bitmap.width, bitmap.height].map((size) =>
    Math.max(1, Math.round(size * scale)),
  );
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  context.drawImage(bitmap, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}
