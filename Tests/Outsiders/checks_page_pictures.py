"""Charts and the box by their pixels: traces are where the board's motion says they must be, gaps where samples are missing, and the box
stands as the board does. What canvases say of themselves is not read."""
import math
import random
import time

from bench import until
from page_bench import IDLE

LINE, GAP = (212, 218, 224), (243, 201, 205)
TRACES = {"ax": (11, 98, 196), "ay": (194, 65, 12), "az": (11, 122, 62)}
PERIOD = 4.0


def near(one, other, most=40):
    return all(abs(a - c) <= most for a, c in zip(one, other))


class Chart:
    """What a chart's picture shows: where its plot is, and the middle row of each trace in each column."""

    def __init__(self, found):
        self.width, self.height, data = found
        at = lambda x, y: data[4 * (y * self.width + x):4 * (y * self.width + x) + 4]
        # Grid lines say where the plot is: whole rows of one colour.
        rows = [(y, [x for x in range(self.width) if near(at(x, y)[:3], LINE, 6) and at(x, y)[3] > 200]) for y in range(self.height)]
        rows = [(y, xs) for y, xs in rows if len(xs) > self.width * 0.4]
        self.left, self.right = min(min(xs) for _, xs in rows), max(max(xs) for _, xs in rows)
        self.traces, self.shaded = {name: {} for name in TRACES}, set()
        for x in range(self.left, self.right + 1):
            column = [at(x, y) for y in range(self.height)]
            for name, colour in TRACES.items():
                found = [y for y, pixel in enumerate(column) if pixel[3] > 150 and near(pixel[:3], colour)]
                if found:
                    self.traces[name][x] = (min(found) + max(found)) / 2
            if sum(pixel[3] > 200 and near(pixel[:3], GAP, 8) for pixel in column) > self.height * 0.5:
                self.shaded.add(x)

    def time(self, x, span, edge):
        return edge - (self.right - x) * span / (self.right - self.left)


def line(points):
    """Least squares of rows over values: slope, offset, and the root of the mean square of what is left."""
    n = len(points)
    mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    sxx = sum((x - mx) ** 2 for x, _ in points)
    slope = sum((x - mx) * (y - my) for x, y in points) / sxx
    return slope, my - slope * mx, math.sqrt(sum((y - my - slope * (x - mx)) ** 2 for x, y in points) / n)


def fitted(chart, span, now):
    """How long ago the right edge is, by the swing of ax; with the line from values to rows."""
    best = None
    for step in range(0, 200):
        edge = now - step * 0.02
        points = [(0.5 * math.sin(2 * math.pi * chart.time(x, span, edge) / PERIOD), y) for x, y in chart.traces["ax"].items()]
        slope, offset, rest = line(points)
        if slope < 0 and (best is None or rest < best[3]):
            best = (edge, slope, offset, rest)
    return best


def look(w, r, span):
    found = w.pixels("canvas.plot")
    return Chart(found), time.time()


def charts(b, r, w):
    n = 2
    b.do("swing", board=n, seconds=PERIOD)
    w.go(f"#/board/{b.ids[n - 1]}", b.name(n))
    w.run("const span = document.querySelector('#span'); span.value = '10'; span.dispatchEvent(new Event('change'))")
    until(15, lambda: w.find("ax", "input"))
    time.sleep(11)
    chart, now = look(w, r, 10)
    wide = chart.right - chart.left
    if not r.check("charts: all columns of ten seconds have their traces", all(len(chart.traces[t]) > 0.9 * wide for t in TRACES), wide, {t: len(v) for t, v in chart.traces.items()}):
        return
    edge, slope, offset, rest = fitted(chart, 10, now)
    r.check("charts: ax is the sine that the board swings, within 3 pixels", rest < 3, "< 3", rest)
    r.check("charts: its right edge is now", -0.3 <= now - edge <= 1.5, "a second", now - edge)
    away = [abs(y - (offset + slope * 0.5 * math.cos(2 * math.pi * chart.time(x, 10, edge) / PERIOD))) for x, y in chart.traces["ay"].items()]
    r.check("charts: ay is the cosine, on the same scale", sorted(away)[int(len(away) * 0.9)] < 5, "< 5 pixels", sorted(away)[-20:])
    away = [abs(y - (offset + slope)) for y in chart.traces["az"].values()]
    r.check("charts: az lies at one g, on the same scale", sorted(away)[len(away) // 2] < 3, "< 3 pixels", sorted(away)[len(away) // 2])
    w.press("ay", "input", "main")
    r.check("charts: a trace that is switched off is not drawn", until(5, lambda: not Chart(w.pixels("canvas.plot")).traces["ay"], 0.3))
    w.press("ay", "input", "main")
    w.press("Pause charts", scope="main")
    time.sleep(0.3)
    before = w.pixels("canvas.plot")
    time.sleep(1)
    r.check("charts: what is paused stands still", w.pixels("canvas.plot") == before)
    w.press("Go on", scope="main")
    r.check("charts: and goes on", until(5, lambda: w.pixels("canvas.plot") != before))
    mark = b.client.mark()
    b.do("drop", board=n)
    gap = b.client.wait(20, b.topic(n, "event", "data-gap"), lambda v: v.get("stream") == "acceleration", mark)
    time.sleep(2.5)
    chart, now = look(w, r, 10)
    edge, _, _, rest = fitted(chart, 10, now)
    if r.check("charts: a lost connection is a gap that an event declares", gap and rest < 4, "a gap", (gap, rest)):
        inside = [x for x in range(chart.left, chart.right + 1) if gap["from_ms"] / 1000 + 0.15 < chart.time(x, 10, edge) < gap["to_ms"] / 1000 - 0.15]
        drawn = [x for x in inside if any(x in chart.traces[t] for t in TRACES)]
        r.check("charts: nothing is drawn across it, and it is shaded", inside and not drawn and len([x for x in inside if x in chart.shaded]) > 0.9 * len(inside), len(inside),
                (len(drawn), len(chart.shaded), gap))


# The box. Lengths of its half edges, and the eye: 28° above the south, five away.
HALF, ELEVATION, DISTANCE = (1, 0.7, 0.18), math.radians(28), 5
WAYS = [(math.cos(a * math.pi / 16), math.sin(a * math.pi / 16)) for a in range(32)]


def times(p, q):
    (w, x, y, z), (a, b, c, d) = p, q
    return (w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a)


def about(axis, degrees):
    half, length = math.radians(degrees) / 2, math.hypot(*axis)
    return (math.cos(half), *(math.sin(half) * part / length for part in axis))


def turned(q, v):
    w, x, y, z = q
    return times(times(q, (0, *v)), (w, -x, -y, -z))[1:]


def apart(p, q):
    return math.degrees(2 * math.acos(min(1, abs(sum(a * b for a, b in zip(p, q))))))


def projected(v, width, height):
    east, north, up = v
    c, s = math.cos(ELEVATION), math.sin(ELEVATION)
    scale = min(width, height) * 0.34 * DISTANCE / (DISTANCE + north * c - up * s)
    return width / 2 + east * scale, height / 2 - (up * c + north * s) * scale


def reach(points):
    """How far they reach in each of 32 directions."""
    return [max(x * c + y * s for x, y in points) for c, s in WAYS]


def expected(q, width, height):
    """Reaches of the whole and of the top, if that is seen; and where the arrow's tip points from the middle of the top."""
    corner = lambda x, y, z: projected(turned(q, (x * HALF[0], y * HALF[1], z * HALF[2])), width, height)
    whole = reach([corner(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    normal, middle = turned(q, (0, 0, 1)), turned(q, (0, 0, HALF[2]))
    eye = (0, -math.cos(ELEVATION) * DISTANCE, math.sin(ELEVATION) * DISTANCE)
    isSeen = sum((e - m) * n for e, m, n in zip(eye, middle, normal)) > 0
    top = reach([corner(x, y, 1) for x in (-1, 1) for y in (-1, 1)]) if isSeen else None
    (a, c), (d, e) = corner(0, 0.55, 1), corner(0, -0.45, 1)
    return whole, top, (a - d, c - e)


class Box:
    """What the picture of the box shows."""

    def __init__(self, found):
        self.width, self.height, data = found
        whole, top, arrow = [], [], []
        for y in range(self.height):
            for x in range(self.width):
                red, green, blue, alpha = data[4 * (y * self.width + x):4 * (y * self.width + x) + 4]
                if alpha > 128:
                    whole.append((x + 0.5, y + 0.5))
                    if blue - red > 60: top.append((x + 0.5, y + 0.5))
                    elif min(red, green, blue) > 225: arrow.append((x + 0.5, y + 0.5))  # it lies on the top
        self.whole, self.top = reach(whole), reach(top + arrow) if len(top) > 30 else None
        self.tip = None
        if self.top and len(arrow) > 10:
            mean = lambda points: (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
            (ax, ay), (tx, ty) = mean(arrow), mean(top + arrow)
            self.tip = ax - tx, ay - ty

    def rest(self, q):
        """How far off the picture is from what this orientation would show; pixels."""
        whole, top, tip = expected(q, self.width, self.height)
        squares = [(a - c) ** 2 for a, c in zip(whole, self.whole)]
        if (top is None) != (self.top is None):
            squares.append(10_000 * len(WAYS))
        elif top is not None:
            squares += [(a - c) ** 2 for a, c in zip(top, self.top)]
            if self.tip and tip[0] * self.tip[0] + tip[1] * self.tip[1] < 0: squares.append(10_000 * len(WAYS))
        return math.sqrt(sum(squares) / len(WAYS))

    def fitted(self, q):
        """The orientation that shows most nearly this picture, looked for from `q` on."""
        best, step = self.rest(q), 16.0
        while step > 0.2:
            for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
                for sign in (step, -step):
                    other = times(q, about(axis, sign))
                    if (rest := self.rest(other)) < best:
                        best, q = rest, other
                        break
                else: continue
                break
            else: step /= 2
        return q, best


def euler(q):
    """As the vendor's fusion says it: heading from north clockwise, angle about x, angle about y, heading again."""
    w, x, y, z = q
    heading = -math.degrees(math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))) % 360
    return [heading, math.degrees(math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))), math.degrees(math.asin(max(-1, min(1, 2 * (w * y - z * x))))), heading]


def box(b, r, w):
    n, chance = IDLE, random.Random(5)
    w.go(f"#/board/{b.ids[n - 1]}", b.name(n))
    poses = [about((0, 0, 1), 30), times(about((0, 0, 1), -70), about((1, 0, 0), 25)), times(about((0, 0, 1), 200), times(about((0, 1, 0), 35), about((1, 0, 0), -20))),
             times(about((0, 0, 1), 15), about((1, 0, 0), 150))]
    for stream in ("quaternion", "euler"):
        mark = b.client.mark()
        b.client.publish(b.topic(n, "cmd", "stream-start"), {"id": f"page-{stream}", "args": {"stream": stream}})
        if not r.check(f"{stream}: the stream starts", b.end_of(b.topic(n, "reply", "stream-start"), mark, 30).get("stage") == "done", "done", b.client.last(b.topic(n, "reply", "stream-start"))):
            continue
        for place, pose in enumerate(poses, 1):
            b.do("turn", board=n, quaternion=list(pose), euler=euler(pose))
            mark = b.client.mark()
            test = lambda v: all(abs(v[k] - e) < 0.02 for k, e in zip(("qw", "qx", "qy", "qz"), pose)) if "qw" in v else abs(v.get("pitch_deg", 999) - euler(pose)[1]) < 0.5
            sent = b.client.wait(15, b.topic(n, "live", stream), test, mark)
            time.sleep(0.5)
            shown = Box(w.pixels("canvas.box"))
            wrong = [about([chance.uniform(-1, 1) for _ in range(3)], 12) for _ in range(6)]
            found, rest = min((shown.fitted(times(pose, away)) for away in wrong), key=lambda found: found[1])
            r.check(f"{stream}, pose {place}: the box stands as the board does, within 5°", sent and rest < 4 and apart(found, pose) <= 5, "5°", (apart(found, pose), rest, sent))
        if stream == "quaternion":
            w.press("Reset orientation", scope="main")
            time.sleep(0.5)
            found, rest = Box(w.pixels("canvas.box")).fitted(about((1, 1, 1), 8))
            r.check("a reset makes it lie flat", rest < 4 and apart(found, (1, 0, 0, 0)) <= 5, "5°", (apart(found, (1, 0, 0, 0)), rest))
            w.press("As measured", scope="main")
        b.client.publish(b.topic(n, "cmd", "stream-stop"), {"id": f"page-{stream}-stop", "args": {"stream": stream}})
        time.sleep(2)
        w.go("#/", "Fleet")
        w.go(f"#/board/{b.ids[n - 1]}", b.name(n))


LONG = [charts, box]
