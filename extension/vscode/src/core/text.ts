/**
 * Places and spans of a document, and reading between them. Columns are UTF-16 units, as in VS Code.
 *
 * Nothing in `core` may import `vscode`: it is what the unit tests run.
 */

export interface Place {
    readonly line: number;
    readonly character: number;
}

export interface Span {
    readonly start: Place;
    readonly end: Place;
}

/** What can be read line by line: a document, or a test's array of lines. */
export interface Lines {
    readonly lineCount: number;
    /** The text of a line, without its ending. */
    line(index: number): string;
}

export function isBefore(a: Place, b: Place): boolean {
    return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** Return the text between two places, with `\n` between lines whatever the document has. */
export function textBetween(lines: Lines, start: Place, end: Place): string {
    if (start.line === end.line) {
        return lines.line(start.line).slice(start.character, end.character);
    }
    const parts = [lines.line(start.line).slice(start.character)];
    for (let line = start.line + 1; line < end.line; line += 1) {
        parts.push(lines.line(line));
    }
    parts.push(lines.line(end.line).slice(0, end.character));
    return parts.join("\n");
}

/** Return the text with `\n` for every line ending: documents with CRLF are compared so. */
export function withNewlines(text: string): string {
    return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** Tell whether the characters of `part` stand in `whole` in this order. */
export function isSubsequence(part: string, whole: string): boolean {
    let at = 0;
    for (const character of part) {
        const found = whole.indexOf(character, at);
        if (found < 0) {
            return false;
        }
        at = found + character.length;
    }
    return true;
}
