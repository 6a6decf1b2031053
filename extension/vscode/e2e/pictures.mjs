// Makes the README's pictures from what the tests saw: the part that matters, in few colours, so that
// they are small. Run by `scripts/test-vscode --pictures`, after the tests.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Where in a screenshot of 1100 x 640 a picture lies. */
const PICTURES = {
    python: { left: 328, top: 68, width: 560, height: 282 },
    typescript: { left: 328, top: 68, width: 752, height: 282 },
    "context-card": { left: 712, top: 148, width: 388, height: 214 },
};

const COLOURS = 48;

const [from, to] = process.argv.slice(2);
for (const [name, part] of Object.entries(PICTURES)) {
    const file = path.join(to, `${name}.png`);
    const png = encoded(inFewColours(cut(decoded(readFileSync(path.join(from, `${name}.png`))), part)));
    writeFileSync(file, png);
    console.log(`${file}: ${(png.length / 1000).toFixed(1)} kB`);
}

/** Read a PNG of 8 bits a channel that is not interlaced, as Chromium writes them. */
function decoded(png) {
    let packed = Buffer.alloc(0);
    let header;
    for (let at = 8; at < png.length; ) {
        const size = png.readUInt32BE(at);
        const body = png.subarray(at + 8, at + 8 + size);
        const kind = png.toString("latin1", at + 4, at + 8);
        if (kind === "IHDR") {
            header = { width: body.readUInt32BE(0), height: body.readUInt32BE(4), channels: body[9] === 6 ? 4 : 3 };
        } else if (kind === "IDAT") {
            packed = Buffer.concat([packed, body]);
        }
        at += size + 12;
    }
    const { width, height, channels } = header;
    const raw = inflateSync(packed);
    const stride = width * channels;
    const pixels = Buffer.alloc(stride * height);
    for (let y = 0; y < height; y += 1) {
        const filter = raw[y * (stride + 1)];
        for (let x = 0; x < stride; x += 1) {
            const left = x < channels ? 0 : pixels[y * stride + x - channels];
            const up = y === 0 ? 0 : pixels[(y - 1) * stride + x];
            const corner = x < channels || y === 0 ? 0 : pixels[(y - 1) * stride + x - channels];
            const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
            pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
        }
    }
    return { width, height, channels, pixels };
}

function paeth(left, up, corner) {
    const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** Cut a part out, as a list of colours 0xRRGGBB. */
function cut({ width, channels, pixels }, part) {
    const colours = [];
    for (let y = part.top; y < part.top + part.height; y += 1) {
        for (let x = part.left; x < part.left + part.width; x += 1) {
            const at = (y * width + x) * channels;
            colours.push((pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2]);
        }
    }
    return { width: part.width, height: part.height, colours };
}

/** Keep colours that are frequent and far from each other, and take the nearest of them for the rest. */
function inFewColours({ width, height, colours }) {
    const counts = new Map();
    for (const colour of colours) {
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const palette = [];
    const frequent = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
    for (const apart of [24, 12, 0]) {
        for (const colour of frequent) {
            if (palette.length < COLOURS && palette.every((other) => distance(other, colour) > apart)) {
                palette.push(colour);
            }
        }
    }
    const nearest = new Map(
        frequent.map((colour) => [colour, palette.reduce((best, other, at) => (distance(other, colour) < distance(palette[best], colour) ? at : best), 0)]),
    );
    return { width, height, palette, indices: colours.map((colour) => nearest.get(colour)) };
}

function distance(a, b) {
    return Math.hypot(...[16, 8, 0].map((shift) => ((a >> shift) & 255) - ((b >> shift) & 255)));
}

function encoded({ width, height, palette, indices }) {
    const rows = Buffer.alloc(height * (width + 1));
    for (let y = 0; y < height; y += 1) {
        rows.set(indices.slice(y * width, (y + 1) * width), y * (width + 1) + 1);
    }
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 3, 0, 0, 0], 8);
    const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
    return Buffer.concat([
        Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
        chunk("IHDR", header), chunk("PLTE", table), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0)),
    ]);
}

function chunk(kind, body) {
    const content = Buffer.concat([Buffer.from(kind, "latin1"), body]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(body.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(content));
    return Buffer.concat([size, content, sum]);
}
