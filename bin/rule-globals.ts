/** Globals that a rule may not use and that no import shows: they give the time, are random, or reach the outside. */

const asked = [
  /new\s+Date(?:\s*\(\s*\)|(?!\s*\(|\w))/,
  /(?<!new\s+)Date\s*\(/,
  /Date\.now/,
  /Math\.random/,
  /(?:performance|process|crypto|console)\./,
  /globalThis\b/,
  /(?:fetch|setTimeout|setInterval|setImmediate)\s*\(/,
];

/** Comments and strings may name them. */
const unread = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/;

const searched = new RegExp(`${unread.source}|(?<![\\w$.])(${asked.map((pattern) => pattern.source).join('|')})`, 'g');

/** @returns a line for each use in a file of `functions/<domain>/rules/` */
export function globalsInRule(file: string, source: string): string[] {
  if (!/^functions\/[^/]+\/rules\//.test(file)) return [];
  return [...source.matchAll(searched)].flatMap(([, found]) =>
    found === undefined ? [] : [`${file}: asks ${found}: a rule is given the time, ids and randomness as arguments`],
  );
}
