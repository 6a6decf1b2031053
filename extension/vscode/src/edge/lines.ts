/** Between VS Code's documents and `core/text`. */

import * as vscode from "vscode";
import type { Lines, Place, Span } from "../core/text";

export function linesOf(document: vscode.TextDocument): Lines {
    return {
        lineCount: document.lineCount,
        line: (index) => document.lineAt(index).text,
    };
}

export function placeOf(position: vscode.Position): Place {
    return { line: position.line, character: position.character };
}

export function spanOf(range: vscode.Range): Span {
    return { start: placeOf(range.start), end: placeOf(range.end) };
}

export function rangeOf(span: Span): vscode.Range {
    return new vscode.Range(
        span.start.line,
        span.start.character,
        span.end.line,
        span.end.character,
    );
}

/** Return the text with the document's line ending. */
export function inEnding(text: string, document: vscode.TextDocument): string {
    return document.eol === vscode.EndOfLine.CRLF ? text.replace(/\n/g, "\r\n") : text;
}
