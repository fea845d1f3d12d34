//! Pooling as a plain loop, from the rules in docs/semantics.md alone: dense NCHW.

/// A job with the attributes of ONNX.
#[derive(Clone, Debug)]
pub struct Job {
    pub shape: Vec<usize>,
    pub kernel: Vec<usize>,
    pub strides: Vec<usize>,
    pub dilations: Vec<usize>,
    pub pads: Vec<usize>,
    pub ceil_mode: bool,
    pub include_pad: bool,
}

impl Job {
    pub fn rank(&self) -> usize {
        self.shape.len() - 2
    }

    fn effective(&self, axis: usize) -> usize {
        (self.kernel[axis] - 1) * self.dilations[axis] + 1
    }

    /// Spatial sizes of y; `None` where the kernel does not fit.
    pub fn output(&self) -> Option<Vec<usize>> {
        (0..self.rank()).map(|axis| self.output_of(axis)).collect()
    }

    fn output_of(&self, axis: usize) -> Option<usize> {
        let (n, s) = (self.shape[2 + axis] as i64, self.strides[axis] as i64);
        let (begin, end) = (self.pads[axis] as i64, self.pads[self.rank() + axis] as i64);
        let room = n + begin + end - self.effective(axis) as i64;
        let mut out = room.div_euclid(s) + 1;
        if self.ceil_mode {
            out = -(-room).div_euclid(s) + 1;
            if (out - 1) * s >= n + begin {
                out -= 1;
            }
        }
        usize::try_from(out).ok().filter(|&out| out >= 1)
    }

    /// Positions inside the input of one window along one axis, and how many of its taps count when
    /// pads do.
    fn taps(&self, axis: usize, o: usize) -> (Vec<usize>, usize) {
        let (n, d) = (self.shape[2 + axis] as i64, self.dilations[axis] as i64);
        let (begin, end) = (self.pads[axis] as i64, self.pads[self.rank() + axis] as i64);
        let start = (o * self.strides[axis]) as i64 - begin;
        let taps = (0..self.kernel[axis] as i64).map(|j| start + j * d);
        let counted = taps.clone().filter(|&t| t < n + end).count();
        let inside = taps.filter(|&t| 0 <= t && t < n).map(|t| t as usize).collect();
        (inside, counted)
    }

    /// Calls `fold(positions in x, divisor)` for every element of y, in order.
    pub fn windows<Y>(&self, mut fold: impl FnMut(&[usize], usize) -> Y) -> Vec<Y> {
        let output = self.output().expect("a job with an output");
        let planes = self.shape[0] * self.shape[1];
        let area: usize = self.shape[2..].iter().product();
        let mut y = vec![];
        for plane in 0..planes {
            for place in 0..output.iter().product::<usize>() {
                let (mut positions, mut counted, mut rest) = (vec![0], 1, place);
                let mut coordinates = vec![0; self.rank()];
                for axis in (0..self.rank()).rev() {
                    coordinates[axis] = rest % output[axis];
                    rest /= output[axis];
                }
                for (axis, &o) in coordinates.iter().enumerate() {
                    let (inside, of_axis) = self.taps(axis, o);
                    let n = self.shape[2 + axis];
                    let step = |p: &usize| inside.iter().map(|t| p * n + t).collect::<Vec<_>>();
                    positions = positions.iter().flat_map(step).collect();
                    counted *= of_axis;
                }
                let divisor = if self.include_pad { counted } else { positions.len() };
                positions.iter_mut().for_each(|position| *position += plane * area);
                y.push(fold(&positions, divisor));
            }
        }
        y
    }

    pub fn average(&self, x: &[f32]) -> Vec<f32> {
        self.windows(|taps, divisor| {
            let sum = taps.iter().fold(0.0, |sum: f32, &tap| sum + x[tap]);
            if taps.is_empty() {
                0.0
            } else {
                sum / divisor as f32
            }
        })
    }

    /// Ties to even.
    pub fn average_of_bytes(&self, x: &[u8]) -> Vec<u8> {
        self.windows(|taps, divisor| {
            if taps.is_empty() {
                return 0;
            }
            let sum: usize = taps.iter().map(|&tap| usize::from(x[tap])).sum();
            let (quotient, rest) = (sum / divisor, sum % divisor);
            let up = 2 * rest > divisor || 2 * rest == divisor && quotient % 2 == 1;
            (quotient + usize::from(up)) as u8
        })
    }

    /// With the position of the first maximum, or -1.
    pub fn max<T: Copy + PartialOrd>(&self, x: &[T], lowest: T) -> Vec<(T, i64)> {
        self.windows(|taps, _| {
            let first = |best: (T, i64), &tap: &usize| {
                if best.1 < 0 || x[tap] > best.0 {
                    (x[tap], tap as i64)
                } else {
                    best
                }
            };
            taps.iter().fold((lowest, -1), first)
        })
    }
}

/// From NCHW to NHWC.
pub fn channels_last<T: Copy>(shape: &[usize], x: &[T]) -> Vec<T> {
    let (channels, area) = (shape[1], shape[2..].iter().product::<usize>());
    let mut y = Vec::with_capacity(x.len());
    for n in 0..shape[0] {
        for place in 0..area {
            y.extend((0..channels).map(|c| x[(n * channels + c) * area + place]));
        }
    }
    y
}
