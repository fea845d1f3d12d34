"""Defects of what only some instruction sets or some cores run, and all of them together."""

import pathlib
import re

from defects import GUARD, KERNELS, PLANNER, RUNNER, Defect

CPU = pathlib.Path("/proc/cpuinfo")
IS_WIDE = CPU.exists() and " avx512bw " in CPU.read_text()  # AVX3 of Highway
MOVES_BYTES = IS_WIDE and " avx512_vbmi2 " in CPU.read_text()  # kernels_moves.cc
# With walks of its own, see Core of src/dispatch.h: AMD's family 25.
IS_ZEN4 = CPU.exists() and all(re.search(line, CPU.read_text()) for line in
                               (r"vendor_id\s*: AuthenticAMD", r"cpu family\s*: 25\b"))

# What only AVX3 has: loops for many registers, a formula of its own. And the ring, which AVX2 has.
WIDE_KERNELS = [
    Defect("over-read: a ring of rows", "src/kernels/ring_row-inl.h",
           "      elem.Load4(d, x, a, b, c, e);\n",
           "      elem.Load4(d, x, a, b, c, e);\n"
           "      const volatile T beyond = x[4 * hn::Lanes(d)];\n      (void)beyond;\n", GUARD),
    Defect("a ring that forgets", "src/kernels/ring_row-inl.h",
           "      KeepFour<kVectors>(D(), a1, b1, c1, e1, at.a);\n", "", ("kinds_test", "differential_test")),
    Defect("a ring: the first divisor at the end of a row", "src/kernels/ring_row-inl.h",
           "endings[kInner + 1], y,", "endings[kInner - 1], y,", GUARD),
    Defect("over-write: rows of pairs", "src/kernels/rows_of_pairs-inl.h",
           "return job_.rows - HWY_MAX(x_beyond, y_beyond);", "return job_.rows;", GUARD),
    Defect("over-read: planes of rows of pairs", "src/kernels/rows_of_pairs-inl.h",
           "return job_.planes - HWY_MAX(x_beyond, y_beyond);", "return job_.planes;", GUARD),
    Defect("over-write: short rows that grow by doubling", "src/kernels/doubling_short-inl.h",
           "hn::StoreN(hn::Xor(v, hn::Set(d, job_.y_flip)), d, y, "
           "static_cast<size_t>(job_.outputs));",
           "hn::StoreU(hn::Xor(v, hn::Set(d, job_.y_flip)), d, y);", GUARD),
    Defect("over-read: moved columns", "src/kernels/moved_columns-inl.h",
           "lower_ = hn::FirstN(d, static_cast<size_t>(columns));",
           "lower_ = hn::FirstN(d, static_cast<size_t>(columns + 1));", GUARD),
    Defect("over-write: moved columns", "src/kernels/moved_columns-inl.h",
           "outputs_ = static_cast<size_t>(n);", "outputs_ = static_cast<size_t>(n + 1);", GUARD),
    Defect("moved columns: no first tap before the row", "src/kernels/moved_columns-inl.h",
           "for (int64_t i = n - 1; i >= 0; --i) {", "for (int64_t i = n - 1; i > 0; --i) {", GUARD),
    Defect("moved columns: a tap behind the row", "src/kernels/moved_columns-inl.h",
           "hn::Ge(taps[i], end)", "hn::Gt(taps[i], end)", GUARD),
    Defect("moved columns: a row behind the last one", "src/kernels/moved_columns-inl.h",
           "h < 0 || h >= h_last", "h < 0 || h > h_last", GUARD),
    Defect("moved columns: planes without gaps", "src/kernels/moved_columns-inl.h",
           "      y += y_plane_step;\n", "", GUARD),
    Defect("moved columns: the second vector lacks one", "src/kernels/moved_columns-inl.h",
           "HWY_MAX(columns - kLanes, 0)", "HWY_MAX(columns - kLanes - 1, 0)", GUARD),
    Defect("moved columns: no room for the column of zeros", "src/kernels/moved_columns-inl.h",
           "job.w_input - from <= kColumns", "job.w_input - from <= kColumns + 1", GUARD),
    Defect("over-read: packed rows", "src/kernels/packed_rows-inl.h",
           "return (packs_.of_vector[i] - 1) * step_ + own_.w_input;",
           "return (packs_.of_vector[i] - 1) * step_ + own_.w_input + 1;", GUARD),
    Defect("over-read: parts of rows", "src/runner_moves.cc", "(Min(end, w.input) - begin)",
           "(end - begin)", GUARD),
    Defect("parts of rows: taps of the first one", "src/runner_moves.cc",
           "        job.w_first -= begin * group;\n", "", GUARD),
    Defect("packed rows: the other order of terms", "src/pack_rules.cc",
           "  return MovedAxesOf(context).rows == 2 || LoopOf(plan) == Loop::kPlanes;\n",
           "  return false;\n", ("differential_test", "digest_test")),
    Defect("packed rows: kinds that lack other taps", "src/kernels/packed_rows-inl.h",
           "if (IsThere(row, tap) != IsThere(other, tap)) return false;", "", GUARD),
    Defect("packed rows: more rows than there are", "src/runner_moves.cc",
           "job.rows = Min(rows, row_end - row);", "job.rows = rows;", GUARD),
    Defect("packed rows: a row behind the last one", "src/kernels/packed_rows-inl.h",
           "(end - 1) * own_.h_stride >= own_.h_input", "(end - 1) * own_.h_stride > own_.h_input",
           GUARD),
    Defect("packed rows: a tap behind the row", "src/kernels/packed_rows-inl.h",
           "hn::Ge(taps[i], end)", "hn::Gt(taps[i], end)", GUARD),
    Defect("packed rows: the last rows are not those again", "src/kernels/packed_rows-inl.h",
           "HWY_MIN(pack * rows, own_.rows - rows)", "pack * rows", GUARD),
    Defect("packed rows: planes behind the last one", "src/kernels/packed_rows-inl.h",
           "HWY_MIN(at_once, last_plane - plane)", "at_once", GUARD),
    Defect("packed rows: all divide like the first one", "src/kernels/packed_finish-inl.h",
           "const int64_t row = first + (i < period ? i : i % period);",
           "const int64_t row = first;", GUARD),
    Defect("packed rows: no room for the column of zeros", "src/kernels/packed_rows-inl.h",
           "kLanes - (kSums && lacks ? 1 : 0)", "kLanes", GUARD),
    Defect("packed rows: no clamp before formulas", "src/kernels/lane_formulas-inl.h",
           "clamps_ = clamps_ || clamps;", "", GUARD),
    Defect("packed rows: no other line for ties", "src/kernels/lane_formulas-inl.h",
           "even_ = even_ || q.add_high != q.add;", "", GUARD),
    Defect("packed rows: multipliers of 16 bits only", "src/kernels/lane_formulas-inl.h",
           "set(kHigh, q.multiplier >> 16);", "set(kHigh, 0);", GUARD),
    Defect("packed rows: classes like those before", "src/kernels/packed_finish-inl.h",
           "if (memcmp(classes[i], of_lanes, sizeof classes[i]) == 0) return &lanes[i];",
           "return &lanes[i];", GUARD),
    Defect("upper halves of registers left in use", "src/api.cc",
           "  EmptyUpperHalves(target);\n", "", ("unpool_test", "kinds_test")),
    Defect("levels: not the last tap", "src/kernels/levels-inl.h",
           "distance[count++] = static_cast<Lane>(more);",
           "distance[count++] = static_cast<Lane>(more - (more < taps ? 1 : 0));", GUARD),
    Defect("levels: nothing at the beginning of a row", "src/kernels/levels-inl.h",
           "    v = hn::BroadcastLane<0>(v);\n", "    v = Reduce::Identity(d);\n", GUARD),
    Defect("levels: a NaN that nobody sees", "src/kernels/levels-inl.h",
           "      state = Reduce::Watch(state, v);\n", "", GUARD),
    Defect("levels: one vector too near", "src/kernels/levels-inl.h",
           "if (kBefore < (-job.first - 1) / Rule::kLanes) {",
           "if (kBefore + 1 < (-job.first - 1) / Rule::kLanes) {", GUARD),
    Defect("over-read: levels", "src/kernels/levels-inl.h",
           "    v = Level<0, true>(v, folds);\n",
           "    const volatile Lane beyond = x[job_.positions];\n    (void)beyond;\n"
           "    v = Level<0, true>(v, folds);\n", GUARD),
    Defect("over-write: levels", "src/kernels/levels-inl.h",
           "left >= kLanes, static_cast<size_t>(left));", "true, static_cast<size_t>(left));", GUARD),
    Defect("added by levels: no lane before the row", "src/kernels/level_rows-inl.h",
           "begin_[level] = HWY_MAX(int64_t{0}, begin - more) & -kLine;",
           "begin_[level] = HWY_MAX(int64_t{0}, begin) & -kLine;", GUARD),
    Defect("added by levels: what was in scratch", "src/kernels/level_rows-inl.h",
           "int64_t i = end_[level] & -Lanes(); i < pitch_",
           "int64_t i = End(level); i < pitch_", GUARD),
    Defect("added by levels: a level that is not whole", "src/kernels/level_rows-inl.h",
           "    if constexpr (kKeepsFirst) Add(row, level, i);\n", "", GUARD),
    Defect("added by levels: a term at another place", "src/kernels/level_sums-inl.h",
           "      from += taps;\n", "      from += level == top ? taps - 1 : taps;\n", GUARD),
    Defect("added by levels: the scratch of a shorter part", "src/kernels/level_sums-inl.h",
           "scratch_(job.taps, job.tap_step, job.most_outputs)",
           "scratch_(job.taps, job.tap_step, job.outputs)", GUARD),
    Defect("added by levels: nothing before a line", "src/kernels/level_sums-inl.h",
           "        some(before);\n", "", ("streams_test",)),
    Defect("added by levels: divisors of other outputs", "src/kernels/finish_rows-inl.h",
           "if (count == count_ && o == from_) return;", "if (count == count_) return;", GUARD),
    Defect("over-read: added by levels", "src/kernels/level_rows-inl.h",
           "    if (i < there) hn::StoreU(hn::LoadN(d, x + i, static_cast<size_t>(there - i)), d, to + i);\n",
           "    if (i < there) hn::StoreU(hn::LoadU(d, x + i), d, to + i);\n", GUARD),
    Defect("over-read: added by levels in registers", "src/kernels/level_rows-inl.h",
           "hn::FirstN(d, static_cast<size_t>(there - at))),",
           "hn::FirstN(d, static_cast<size_t>(there - at + 1))),", GUARD),
    Defect("over-write: added by levels", "src/kernels/finish_rows-inl.h",
           "to, n >= Lanes(),", "to, true,", GUARD),
    Defect("over-read: channels in registers", "src/kernels/window_registers-inl.h",
           "    LoadFour<Reduce>(elem_, D(), p, a, b, c, e, state);\n",
           "    LoadFour<Reduce>(elem_, D(), p, a, b, c, e, state);\n"
           "    const volatile T beyond = p[4 * hn::Lanes(D())];\n    (void)beyond;\n", GUARD),
    Defect("over-read: short rows", "src/kernels/square_strip-inl.h",
           "return elem_.LoadMasked(d, x, in_b, none);", "return elem_.Load(d, x);", GUARD),
    Defect("over-read: short rows of two planes", "src/kernels/square_strip-inl.h",
           "elem_.LoadMasked(half, next, in, other)", "elem_.Load(half, next)", GUARD),
    Defect("over-write: short rows of two planes", "src/kernels/square_strip-inl.h",
           "out_.StoreN(half, upper, y + job_.y_plane_step, count_);",
           "out_.Store(half, upper, y + job_.y_plane_step);", GUARD),
    Defect("a short row that slides with what is behind it", "src/kernels/planes_slide-inl.h",
           "hn::FirstN(d, static_cast<size_t>(job_.w_input))",
           "hn::FirstN(d, static_cast<size_t>(job_.w_input + 1))", GUARD),
    Defect("rows by themselves of four taps: not the column before", "src/kernels/four_by_two-inl.h",
           "        Row(x, a, b, before, behind, state);\n",
           "        Row(x, a, b, before, behind, state);\n        before = behind;\n", GUARD),
    Defect("lanes moved too far", "src/kernels/planes_square-inl.h",
           "(first >= 0 || first == -job.w_tap) && (beyond <= 0 || beyond == job.w_tap);",
           "first >= -job.w_tap && beyond <= job.w_tap;", ("differential_test", "kinds_test")),
    Defect("tiny sums divided by shared reciprocals", "src/kernels/finish_blocks-inl.h",
           "if (HWY_UNLIKELY(!hn::AllFalse(d, hn::Or(rare, tiny)))) return false;",
           "if (HWY_UNLIKELY(!hn::AllFalse(d, rare))) return false;\n    (void)tiny;",
           ("floats_test",)),
    Defect("an average that is not corrected", "src/kernels/finish_blocks-inl.h",
           "c = hn::MulAdd(rc, yc, qc);", "c = qc;", ("floats_test",)),
    Defect("a quotient that AVX3 does not correct", "src/kernels/divide-inl.h",
           "const V quotient = hn::MulAdd(Remainder(q, divisor, s), reciprocal, q);",
           "const V quotient = q;", ("digest_test", "differential_test")),
]

# And what it does not have.
NARROW_KERNELS = [
    Defect("long rows that forget", "src/kernels/window_long-inl.h",
           "      if (kEight) Join<kEach>(kept[level] + four, a1, b1, c1, e1);\n", "", GUARD),
    Defect("over-read: long rows", "src/kernels/window_long-inl.h",
           "for (int64_t t = taps_[0]; t > 1; --t) {", "for (int64_t t = taps_[0]; t > 0; --t) {",
           GUARD),
    Defect("over-read: beside a row of squares", "src/kernels/square_strip-inl.h",
           "reads_beside_ ? rows - 1 : 0; row", "reads_beside_ ? rows : 0; row", GUARD),
    Defect("twos row by row: the first row again", "src/kernels/window_apart-inl.h",
           "    x += row;\n    for", "    (void)row;\n    for", GUARD),
    Defect("a quotient that AVX2 does not correct", "src/kernels/divide-inl.h",
           "return hn::MulAdd(Remainder(q, divisor, s), reciprocal, q);", "return q;",
           ("digest_test", "differential_test")),
]

# What AVX3 has where bytes move between all lanes by one instruction, and where they do not.
MOVE_KERNELS = [
    Defect("short rows that grow by moving bytes: a tap too few on the other side",
           "src/kernels/doubling_short-inl.h",
           "if (others > 0) Point(-sign * others);", "if (others > 1) Point(-sign * (others - 1));",
           GUARD),
]
PAIR_KERNELS = [
    Defect("short rows that grow by doubling: no odd tap", "src/kernels/doubling_short-inl.h",
           "    if (is_odd_) v = hn::Max(v, Moved(x, Pairs(odd_)));\n", "", GUARD),
    Defect("short rows that grow by doubling: no even tap on the other side",
           "src/kernels/doubling_short-inl.h",
           "    if (others_ % 2 == 0) x = hn::Max(v, Moved(x, Pairs(other_odd_)));\n",
           "    if (others_ % 2 == 0) x = v;\n", GUARD),
]

ZEN4_KERNELS = [
    Defect("a band that forgets", "src/kernels/ring_bands-inl.h",
           "hn::Store(column, d, before);", "", GUARD),
]
WIDE_ZEN4_KERNELS = [
    Defect("a strip where the other is", "src/kernels/three_by_two-inl.h",
           "from_next = next.From(edges);", "from_next = from;", GUARD),
]

ALL_DEFECTS = (PLANNER + RUNNER + KERNELS + WIDE_KERNELS + NARROW_KERNELS + MOVE_KERNELS
               + PAIR_KERNELS + ZEN4_KERNELS + WIDE_ZEN4_KERNELS)
DEFECTS = (PLANNER + RUNNER + KERNELS + (WIDE_KERNELS if IS_WIDE else NARROW_KERNELS)
           + (MOVE_KERNELS if MOVES_BYTES else PAIR_KERNELS if IS_WIDE else [])
           + (ZEN4_KERNELS if IS_ZEN4 else []) + (WIDE_ZEN4_KERNELS if IS_ZEN4 and IS_WIDE else []))
