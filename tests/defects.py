"""Defects of the library, each with the ctest entries one of which must fail (seeded_defects.py)."""

from dataclasses import dataclass


@dataclass
class Defect:
    name: str
    file: str
    text: str
    becomes: str
    tests: tuple


GUARD = ("guard_test",)

PLANNER = [
    Defect("one output too few in ceil mode", "src/axis.h",
           "axis->output = static_cast<Int>(steps + 1);",
           "axis->output = static_cast<Int>(steps + (ceil ? 0 : 1));", ("axis_test", "cases_test")),
    Defect("no drop rule", "src/axis.h", "if (!fits || span >= n + axis->pad_begin) {",
           "if (!fits || span > n + axis->pad_begin) {", ("axis_test", "cases_test")),
    Defect("interior one window too long", "src/axis.h",
           "static_cast<Int>(last_room / stride + 1);\n  axis->interior_end",
           "static_cast<Int>(last_room / stride + 2);\n  axis->interior_end",
           ("axis_test", "cases_test")),
    Defect("unchecked size of the kernel", "src/axis.h",
           "if (!Mul(static_cast<Int>(axis->kernel - 1), axis->dilation, &effective) ||",
           "effective = static_cast<Int>(static_cast<uint64_t>(axis->kernel - 1) *\n"
           "                               static_cast<uint64_t>(axis->dilation));\n  if (",
           ("axis_test", "bad_input_test")),
    Defect("padding counted in the divisor", "src/quantization.cc",
           "rule == LANEPOOL_DIVISOR_FULL_KERNEL ? KernelTaps(plan) : counted",
           "rule != LANEPOOL_DIVISOR_CONSTANT ? KernelTaps(plan) : counted",
           ("cases_test", "kinds_test")),
    Defect("ties that do not go up", "src/requant_steps.cc", "      if (up) least = floor;\n", "",
           ("requant_test", "quantized_plan_test")),
    Defect("an offset below what was proven", "src/requant_search.cc",
           "line->least[c] = bounds.least.At(line->multiplier);",
           "line->least[c] = bounds.least.At(line->multiplier) - 1;",
           ("requant_test", "quantized_plan_test")),
    Defect("stored descs believed", "src/desc.h",
           "return desc != nullptr && desc->magic == kDescMagic && desc->abi_version == "
           "LANEPOOL_ABI_VERSION;", "return desc != nullptr;", ("api_test", "fuzz_desc_replay")),
]

RUNNER = [
    Defect("items that share a row", "src/runner.cc",
           "item.h_end = item.h_begin + s.row_block;",
           "item.h_end = item.h_begin + s.row_block + 1;",
           ("guard_test", "differential_test", "threads_test")),
    Defect("an order of additions that the batch decides", "src/block_rules.cc",
           "return p.channels < 8 || p.channels * plan.axes[1].output < 64;",
           "const int64_t channels = PlanesOf(p, plan).channels;\n"
           "  return channels < 8 || channels * plan.axes[1].output < 64;", ("lanes_test",)),
    Defect("a row of single elements wider than a tile", "src/strategy.cc",
           "p.channels <= kTileLanes && AreElementsAlone", "AreElementsAlone", GUARD),
    Defect("long rows of pixels", "src/runner_planes.cc",
           "const bool long_row = !sums && group == 1 && fits && IsLongRow(w, job);",
           "const bool long_row = !sums && fits && IsLongRow(w, job);",
           ("guard_test", "differential_test")),
    Defect("images that lie apart", "src/plan_axes.cc",
           "if (planes > 1 && strides[kN] != image) return;",
           "if (planes > 1 && strides[kN] < image) return;", GUARD),
    Defect("picks of the first plane", "src/runner_planes.cc",
           "pick.from = results + i * tile->y_plane_step * context.y_size;",
           "pick.from = results;", GUARD),
    Defect("a divisor for all pieces of a plane", "src/runner_planes.cc",
           "tile->h_counts = counts + row;", "tile->h_counts = counts;", GUARD),
    Defect("a pick too many", "src/pick_outputs.cc",
           "outputs = (job.lanes - group) / apart + 1;",
           "outputs = (job.lanes - group) / apart + 2;", GUARD),
    Defect("small calls: the divisor of one row", "src/runner_lone.cc",
           "MakeDivisor(DivisorOfWindow(p, plan, KernelTaps(plan)))",
           "MakeDivisor(plan.axes[2].kernel)", ("kinds_test", "differential_test")),
    Defect("max unpooling: one index too many", "src/runner_scatter.cc",
           "ForInputs(n, c, [&](const char*, int64_t index) {",
           "ForInputs(n, c, [&](const char* x, int64_t index) {\n"
           "      const volatile char beyond = x[kSize];\n      good = good && beyond == beyond;",
           GUARD),
    Defect("scratch beyond the workspace", "src/blocks.cc", "    scratch.total += *part;\n",
           "    if (part != &scratch.kept) scratch.total += *part;\n", GUARD),
    Defect("an order of additions that y decides", "src/block_rules.cc",
           "const bool turned = TurnsPlanes(p, plan, p.x_type);",
           "const bool turned = TurnsPlanes(p, plan, p.y_type);",
           ("quantized_plan_test",)),
    Defect("a vector that begins in the tile before", "src/runner_planes.cc",
           "      if (in_vectors && o > item.w_begin) o = Min(o, item.w_end - kByStepsLanes);\n", "",
           ("floats_test",)),
    Defect("two lines as far apart as x's", "src/kernels/blocks-inl.h",
           "y_ = FourPlaces::Of(lanes - n, job_.y_line_step);",
           "y_ = FourPlaces::Of(lanes - n, job_.x_line_step);", GUARD),
    Defect("margins of a tile that keep sums", "src/kernels/tile_sums-inl.h",
           "begin_(HWY_MIN(HWY_MAX(-job.w_first, 0), total_)),", "begin_(0),", GUARD),
    Defect("quotients taken for exact", "src/kernels/finish_block_means-inl.h",
           "kFew = kCompact ? 0 : 2730;", "kFew = kCompact ? 0 : 32767;",
           ("quantized_environment_test",)),
    Defect("no doubts", "src/kernels/finish_block_quotients-inl.h",
           "(kUnits * 0x1p-23f)) + 3) {}", "(kUnits * 0x1p-23f)) / 9) {}",
           ("quantized_environment_test",)),
    Defect("numerators beyond bytes", "src/kernels/finish_block_means-inl.h",
           "return hn::Min(hn::Max(sum, hn::Zero(df)), most);", "return hn::Min(sum, most);",
           ("quantized_environment_test",)),
    Defect("sums of what has left a window", "src/kernels/blocks_of_sums-inl.h",
           "        from = to = begin;\n", "        to = begin;\n", GUARD + ("quantized_test",)),
    Defect("an allocation", "src/api.cc",
           "  if (begin == end) return LANEPOOL_OK;\n  const int32_t status = CheckTable",
           "  if (begin == end) return LANEPOOL_OK;\n"
           "  void* volatile kept = __builtin_malloc(64);\n  __builtin_free(kept);\n"
           "  const int32_t status = CheckTable", ("contract_test", "contents_test")),
    Defect("a system call", "src/api.cc",
           "  if (begin == end) return LANEPOOL_OK;\n  const int32_t status = CheckTable",
           "  if (begin == end) return LANEPOOL_OK;\n"
           '  int64_t pid = 39;\n  asm volatile("syscall" : "+a"(pid) : : "rcx", "r11", "memory");\n'
           "  const int32_t status = CheckTable", ("contract_test",)),
    Defect("a counter of calls", "src/api.cc",
           "  if (begin == end) return LANEPOOL_OK;\n  const int32_t status = CheckTable",
           "  if (begin == end) return LANEPOOL_OK;\n"
           "  static int64_t calls;\n  if (++calls == 0) return LANEPOOL_RANGE;\n"
           "  const int32_t status = CheckTable", ("contents_test",)),
    Defect("a deep stack", "src/runner.cc", "  const ItemGrid grid = GridOf(p, sealed.plan);\n",
           "  const ItemGrid grid = GridOf(p, sealed.plan);\n  volatile char deep[20000];\n"
           "  deep[0] = static_cast<char>(begin);\n", ("contract_test",)),
    Defect("AVX2 where every CPU goes", "src/axis.h",
           "  const Int n = axis->input;\n  const Int stride = axis->stride;\n",
           "  const Int n = axis->input;\n  const Int stride = axis->stride;\n"
           '  asm volatile("vpaddd %%ymm0, %%ymm0, %%ymm0" : : : "xmm0");\n',
           ("contents_test",)),
    Defect("an instruction that traps", "src/api.cc",
           "  if (begin == end) return LANEPOOL_OK;\n  const int32_t status = CheckTable",
           "  if (begin == end) return LANEPOOL_OK;\n  if (begin == INT64_MAX) __builtin_trap();\n"
           "  const int32_t status = CheckTable", ("contents_test",)),
    Defect("a function that no header declares", "src/api.cc",
           "int32_t lanepool_abi_version(void) { return LANEPOOL_ABI_VERSION; }",
           "int32_t lanepool_abi_version(void) { return LANEPOOL_ABI_VERSION; }\n"
           "LANEPOOL_API int32_t lanepool_forgotten(void) { return 0; }", ("exports_test",)),
    Defect("a sanitizer switched off", "src/axis.h", "bool Mul(Int a, Int b, Int* product) {",
           '__attribute__((no_sanitize("undefined")))\n'
           "bool Mul(Int a, Int b, Int* product) {", ("structure_test",)),
]

# Beyond the end by one element, or by a vector where there is part of one: in each loop.
KERNELS = [
    Defect("over-read: single windows", "src/kernels/window_one-inl.h",
           "if (kPartial) return elem_.LoadN(d, p, n_, hn::Zero(d));", "", GUARD),
    Defect("over-read: columns", "src/kernels/window_fold-inl.h",
           "v = elem_.LoadN(d, p, static_cast<size_t>(job_.lanes), v);", "v = elem_.Load(d, p);",
           GUARD),
    Defect("over-read: windows apart", "src/kernels/window_apart-inl.h",
           "if constexpr (kWidth == kPart) a = elem_.LoadN(d, p, few, hn::Zero(d));",
           "if constexpr (kWidth == kPart) a = elem_.Load(d, p);", GUARD),
    Defect("over-read: passes", "src/kernels/window_passes-inl.h",
           "Fold<kOne>(pass, HWY_MIN(lane, lanes - n), lane, y, state);",
           "Fold<kOne>(pass, lane, lane, y, state);", GUARD),
    Defect("a pass that forgets", "src/kernels/window_passes-inl.h",
           "if (!pass.first[0]) join(pass.saved[0] + place, false);", "",
           ("kinds_test", "differential_test", "contract_test")),
    Defect("a column that is not shared", "src/kernels/window_passes-inl.h",
           "if (saves) KeepFour<kVectors>(D(), a, b, c, e, from);", "", GUARD),
    Defect("over-read: blocks", "src/kernels/blocks-inl.h",
           "HWY_LIKELY(whole_) ? elem_.Load(d, p) : elem_.LoadN(d, p, n_, hn::Zero(d))",
           "elem_.Load(d, p)", GUARD),
    Defect("over-read: planes", "src/kernels/load_inside-inl.h",
           "if (before == 0) return elem.LoadN(d, row + at, static_cast<size_t>(end), other);",
           "if (before == 0) {\n"
           "    return hn::IfThenElse(hn::FirstN(d, static_cast<size_t>(end)),\n"
           "                          elem.Load(d, row + at), other);\n  }", GUARD),
    Defect("over-read: beside a row", "src/kernels/load_inside-inl.h",
           "return from >= 0 && from + count <= input.count;", "return from >= 0;", GUARD),
    Defect("an over-read of rows by steps", "src/kernels/rows_by_steps-inl.h",
           "const int64_t at = HWY_MIN(i, lanes - n);  // the last vector overlaps the one before",
           "const int64_t at = i;", GUARD),
    Defect("over-read: behind the last row by steps", "src/kernels/rows_by_steps-inl.h",
           "static_cast<size_t>(columns - over) * sizeof(T)",
           "static_cast<size_t>(columns) * sizeof(T)", GUARD),
    Defect("last outputs of a row by steps from where they are not",
           "src/kernels/rows_by_steps-inl.h",
           "const int64_t done = row.lanes - kOutputs,",
           "const int64_t done = row.lanes - 1 - kOutputs,",
           GUARD),
    Defect("blocks of a long row that a buffer has no room for", "src/runner_planes.cc",
           "kCompact || most >= kBlock;", "true;", GUARD),
    Defect("a ring of bytes with a row too many", "src/kernels/kernels_bytes.cc",
           "return RingOf<Sum16, 4>(job);", "return RingOf<Sum16, 5>(job);", GUARD),
    Defect("over-write: pixels by two", "src/kernels/pixels_by_two-inl.h",
           "StoreRow(out_, d, last, y + lanes - used_, static_cast<size_t>(used_), rows_end_);",
           "out_.Store(d, last, y + lanes - used_);", GUARD),
    Defect("an over-read of the last pixels", "src/kernels/pixels_by_two-inl.h",
           "for (; i + n <= lanes; i += used_) {", "for (; i + used_ <= lanes; i += used_) {", GUARD),
    Defect("over-read: columns of pixels", "src/kernels/pixels_by_steps-inl.h",
           "const int64_t at = HWY_MIN(i, count - Lanes());  // the last vector overlaps",
           "const int64_t at = i;  // the last vector overlaps", GUARD),
    Defect("over-write: pixels by steps", "src/kernels/pixels_by_steps-inl.h",
           "StoreRow(out_, d, v, y, static_cast<size_t>(HWY_MIN(used_, job_.lanes - lane)), "
           "rows_end_);", "out_.Store(d, v, y);", GUARD),
    Defect("margins of pixels that are no identity", "src/kernels/pixels_by_steps-inl.h",
           "hn::Store(Reduce::Identity(d), d, columns_ + i);",
           "hn::Store(hn::Zero(d), d, columns_ + i);", GUARD),
    Defect("gaps that pixels gathered one by one lack", "src/kernels/gather_by_steps-inl.h",
           "w * job.w_tap;", "w * group;", GUARD),
    Defect("an offset for all classes of a row", "src/kernels/requant-inl.h",
           "hn::Add(RequantSums(v, q), hn::Set(d, static_cast<uint16_t>(offset)));",
           "RequantSums(v, q);\n        (void)offset;", ("quantized_test", "kinds_test")),
    Defect("over-write: behind the last row", "src/kernels/load_inside-inl.h",
           "end - y >= static_cast<int64_t>(hn::Lanes(d))", "end > y", GUARD),
    Defect("over-read: rows of one vector in steps of two", "src/kernels/three_by_two-inl.h",
           "b = LaneBehind(d, elem_.Load(d, x + n), Reduce::Identity(d));",
           "b = LaneBehind(d, elem_.Load(d, x + n), elem_.Load(d, x + 2 * n));", GUARD),
    Defect("over-read: squares of four in steps of two", "src/kernels/four_by_two-inl.h",
           "has_behind_(job.w_first + 2 * lane + span_ < job.w_input),",
           "has_behind_(job.w_first + 2 * lane + span_ <= job.w_input),", GUARD),
    Defect("over-read: part of a vector in steps of two", "src/kernels/three_by_two-inl.h",
           "job.x_plane_step < beyond)", "job.x_plane_step < beyond - 2)", GUARD),
    Defect("margins of other rows", "src/runner_rows.cc",
           "margined = Max(margined, batch.rows);", "margined = prepared.pitch;", GUARD),
    Defect("over-read: flat planes of bytes", "src/kernels/flat-inl.h",
           "if (lanes < n && readable >= (taps - 1) * step + n) {", "if (lanes < n) {", GUARD),
    Defect("over-read: steps of two in bytes", "src/kernels/bytes_by_two-inl.h",
           "const int64_t x_last = x_first + (rows.taps - 1) * rows.tap_step + 2 * least_lanes_ + 1;",
           "const int64_t x_last = x_first + (rows.taps - 1) * rows.tap_step;", GUARD),
    Defect("over-read: planes of steps of two in bytes", "src/kernels/bytes_by_two-inl.h",
           "return HWY_MAX(job_.planes - last, 0);", "return job_.planes;", GUARD),
    Defect("over-read: runs", "src/kernels/run-inl.h",
           "const V v = elem_.LoadN(d, p + extent.whole * kLanes, extent.part, Reduce::Identity(d));",
           "const V v = hn::IfThenElse(hn::FirstN(d, extent.part),\n"
           "                                   elem_.Load(d, p + extent.whole * kLanes),\n"
           "                                   Reduce::Identity(d));", GUARD),
    Defect("over-read: four vectors of channels", "src/kernels/window_four-inl.h",
           "    LoadFour<Reduce, kVectors>(elem_, D(), p, a, b, c, e, state);\n",
           "    LoadFour<Reduce, kVectors>(elem_, D(), p, a, b, c, e, state);\n"
           "    const volatile T beyond = p[kVectors * hn::Lanes(D())];\n"
           "    (void)beyond;\n", GUARD),
    Defect("over-read: two rows of channels", "src/kernels/window_rows-inl.h",
           "      elem_.Load2(d, shared + 2 * h, c, e);\n"
           "      state = WatchTaps<Reduce>(state, a, b, c, e);\n",
           "      elem_.Load2(d, shared + 2 * h, c, e);\n"
           "      const volatile T beyond = (shared + 2 * h)[2 * hn::Lanes(d)];\n"
           "      (void)beyond;\n"
           "      state = WatchTaps<Reduce>(state, a, b, c, e);\n", GUARD),
    Defect("over-read: a row behind the last", "src/kernels/window_rows-inl.h",
           "      state = WatchTaps<Reduce>(state, a, b);\n",
           "      state = WatchTaps<Reduce>(state, a, b);\n"
           "      const volatile T beyond = shared[2 * h];\n"
           "      (void)beyond;\n", GUARD),
    Defect("the divisor of whole windows in an edge row", "src/kernels/window_rows-inl.h",
           "      row.divisor = edge.divisor;\n", "", ("kinds_test", "differential_test")),
    Defect("the divisor of whole windows beside an edge row", "src/runner_columns.cc",
           "job_.edge_row.lead = divisor(ClipWindow(w, windows_.begin - windows_.apart));",
           "job_.edge_row.lead = job_.lead.divisor;", ("kinds_test", "differential_test")),
    Defect("over-read: pairs of bytes", "src/kernels/window_bytes-inl.h",
           "    auto bytes = hn::LoadU(d8, p);\n",
           "    auto bytes = hn::LoadU(d8, p);\n"
           "    const volatile uint8_t beyond = p[hn::Lanes(d8)];\n    (void)beyond;\n", GUARD),
    Defect("over-read: squares in steps of two", "src/kernels/three_by_two-inl.h",
           "    b = elem_.Load(d, x + at + n);\n",
           "    b = elem_.Load(d, x + at + n);\n"
           "    const volatile T beyond = x[at + 2 * n];\n    (void)beyond;\n", GUARD),
    Defect("over-read: squares of taps", "src/kernels/square_strip-inl.h",
           "      x += first_ + tap_;\n",
           "      x += first_ + tap_;\n"
           "      const volatile T beyond =\n"
           "          x[static_cast<int64_t>(hn::Lanes(d)) + (kNoLast ? 0 : tap_)];\n"
           "      (void)beyond;\n", GUARD),
    Defect("over-read: windows that slide in planes", "src/kernels/planes_slide-inl.h",
           "      return elem_.Load(d, x + (first_ + kTap * tap_));\n",
           "      const volatile T beyond =\n"
           "          x[first_ + kTap * tap_ + static_cast<int64_t>(hn::Lanes(d))];\n"
           "      (void)beyond;\n"
           "      return elem_.Load(d, x + (first_ + kTap * tap_));\n", GUARD),
    Defect("lanes moved too far in windows that slide", "src/kernels/planes_slide-inl.h",
           "near && first == -kBefore && beyond <= 0", "near && first < 0 && beyond <= 0",
           ("differential_test", "kinds_test")),
    Defect("over-read: short rows in steps of two", "src/kernels/step_two_short-inl.h",
           "job_.w_input - static_cast<int64_t>(hn::Lanes(d));", "job_.w_input - columns;", GUARD),
    Defect("over-read: rows of whole windows", "src/kernels/whole_rows-inl.h",
           "    b = elem_.Load(d, x + n);\n",
           "    b = elem_.Load(d, x + n);\n"
           "    const volatile T beyond = x[kVectors * n];\n    (void)beyond;\n", GUARD),
    Defect("over-read: small planes of bytes", "src/kernels/flat_small-inl.h",
           "hwy::CopyBytes(x, x_ + kMargin, all);", "hwy::CopyBytes(x, x_ + kMargin, all + 1);",
           GUARD),
    Defect("over-read: stretches of bytes", "src/kernels/flat_stretch-inl.h",
           "      odds = hn::Add(odds, b);\n    };\n",
           "      odds = hn::Add(odds, b);\n"
           "      const volatile uint8_t beyond = p[tap * step + 2 * hn::Lanes(D())];\n"
           "      (void)beyond;\n    };\n", GUARD),
    Defect("ends of rows of four and five bytes lack a tap", "src/kernels/flat_rows-inl.h",
           "if (kTaps == 5 || job_.w_first == -1)", "if (kTaps == 5)", ("quantized_planes_test",)),
    Defect("over-read: sums of short rows", "src/kernels/row_sums-inl.h",
           "HWY_LIKELY(room >= kBytes) ?", "HWY_LIKELY(room > 0) ?", GUARD),
    Defect("over-read: sums along rows", "src/kernels/row_sums-inl.h",
           "bytes = room >= kBytes ?", "bytes = room > 0 ?", GUARD),
    Defect("factors of lanes are products of two", "src/kernels/finish_block_means-inl.h",
           "hn::MulAdd(hn::Mul(near, by_units), rest, near)", "near",
           ("quantized_environment_test",)),
    Defect("planes share the factors of one output", "src/kernels/finish_block_means-inl.h",
           "kept_ + changes_++ * kLineFactors", "kept_ + changes_ * kLineFactors",
           ("quantized_planes_test",)),
    Defect("over-read: runs of close windows", "src/kernels/run_columns-inl.h",
           "lanes = Lanes(), last = span - lanes;", "lanes = Lanes(), last = span;", GUARD),
    Defect("over-read: planes that are folded along D", "src/kernels/planes_deep-inl.h",
           "state = columns.Sum(x, size, to, state);", "state = columns.Sum(x, size + 1, to, state);",
           GUARD),
    Defect("over-read: short runs", "src/kernels/run_short-inl.h",
           "x + kIndex * kLanes, part, Reduce::Identity(d));",
           "x + kIndex * kLanes, part + 1, Reduce::Identity(d));", GUARD),
    Defect("a vector of short runs is left out", "src/kernels/run_short-inl.h",
           "constexpr bool kOne = kFirst + kStep >= kVectors;",
           "constexpr bool kOne = kFirst + kStep + 1 >= kVectors;", ("kinds_test", "guard_test")),
    Defect("over-read: runs in memory", "src/kernels/run-inl.h",
           "        const V v = elem_.LoadN(d, row + i, part, Reduce::Identity(d));",
           "        const V v = hn::IfThenElse(hn::FirstN(d, part), elem_.Load(d, row + i),\n"
           "                                   Reduce::Identity(d));", GUARD),
    Defect("over-read: runs of bytes", "src/kernels/run_bytes-inl.h",
           "        if (rest_ != 0) odd = hn::Add(odd, hn::SumsOf8(Rest(row, at)));\n",
           "        if (rest_ != 0) odd = hn::Add(odd, hn::SumsOf8(Rest(row, at)));\n"
           "        const volatile uint8_t beyond = row[length];\n        (void)beyond;\n", GUARD),
    Defect("over-write: rows that grow by doubling", "src/kernels/doubling-inl.h",
           "      hn::StoreN(at(0), d, y, static_cast<size_t>(outputs));",
           "      hn::StoreU(at(0), d, y);", GUARD),
    Defect("over-read: rows that become columns", "src/kernels/transpose-inl.h",
           "      const int64_t at = HWY_MIN(column, job.lanes - kLanes);\n",
           "      const int64_t at = HWY_MIN(column, job.lanes - kLanes);\n"
           "      const volatile T beyond = rows[kRows - 1][job.lanes];\n      (void)beyond;\n",
           GUARD),
    Defect("over-read: every second tap", "src/kernels/taps-inl.h",
           "if (pairs && position + 2 * n <= job_.w_input) {",
           "if (pairs && position + 2 * n - 1 <= job_.w_input) {", GUARD),
    Defect("over-read: scales of channels", "src/kernels/finish_stage-inl.h",
           "return job.per_lane ? LoadSome(d, entries + i, n) :",
           "return job.per_lane ? hn::LoadU(d, entries + i) :", GUARD),
    Defect("over-read: single taps", "src/kernels/taps-inl.h",
           "elem_.Of(d, RawBetween(hn::Rebind<T, D>(), p, begin, end))",
           "elem_.Of(d, hn::LoadU(hn::Rebind<T, D>(), p))", GUARD),
    Defect("over-write: rows", "src/kernels/rows-inl.h", "out_.StoreN(d, v, y, count_);",
           "out_.Store(d, v, y);", GUARD),
    Defect("over-write: half of a vector", "src/kernels/half-inl.h",
           "HWY_INLINE void StoreN(D d, hn::VFromD<D> v, uint16_t* p, size_t n) const {",
           "HWY_INLINE void StoreN(D d, hn::VFromD<D> v, uint16_t* p, size_t n) const {\n"
           "    if (n > 1) return Store(d, v, p);", GUARD),
    Defect("the later of equal maxima", "src/kernels/taps_fold-inl.h",
           "    auto better = hn::Gt(v, best);", "    auto better = hn::Ge(v, best);",
           ("cases_test", "kinds_test")),
]
