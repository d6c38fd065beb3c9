import { posix } from 'node:path';

/** What a document of the project points to: other files, and headings in them. */

/** @param read the text of a file of the project, null where there is none; '' for a folder */
export function deadLinks(path: string, read: (path: string) => string | null): string[] {
  return linksOf(read(path) ?? '').flatMap(({ line, target }) => {
    const [file = '', anchor] = target.split('#');
    const place = file === '' ? path : resolved(path, file);
    const text = place.startsWith('..') ? null : read(place);
    if (text === null) return [`${path}:${line}: there is no ${place}`];
    if (anchor === undefined || anchorsOf(text).has(anchor)) return [];
    return [`${path}:${line}: ${place} has no heading #${anchor}`];
  });
}

/** Links inside the project, as `[text](target)` or `[text]: target`; addresses elsewhere are left out. */
export function linksOf(text: string): { line: number; target: string }[] {
  return linesOf(text).flatMap(({ line, content }) =>
    [...content.replace(/`[^`]*`/g, '').matchAll(/\]\(\s*<?([^)\s>]+)|^\s*\[[^\]]+\]:\s*<?([^\s>]+)/g)]
      .map(([, inline, reference]) => inline ?? reference ?? '')
      .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))
      .map((target) => ({ line, target })),
  );
}

/**
 * The anchors of a page on GitHub: those that are written out, and its headings in small letters, without punctuation, with
 * `-1` where one comes again.
 */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set([...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = '']) => name));
  for (const { content } of linesOf(text)) {
    const [, heading] = /^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$/.exec(content) ?? [];
    if (heading === undefined) continue;
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The lines outside of fenced blocks. */
function linesOf(text: string): { line: number; content: string }[] {
  let fence: string | null = null;
  return text.split('\n').flatMap((content, index) => {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(content) ?? [];
    if (mark && (fence === null || content.trim() === fence)) {
      fence = fence === null ? mark : null;
      return [];
    }
    return fence === null ? [{ line: index + 1, content }] : [];
  });
}

/** From the project's root; what is outside of it begins with `..`, and is not there. */
function resolved(from: string, target: string): string {
  return posix.join(posix.dirname(from), decodeURIComponent(target)).replace(/\/$/, '');
}
