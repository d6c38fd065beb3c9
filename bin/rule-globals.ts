import { isPure } from '../lib/bundle/pure-rules.ts';

/** What a rule may not do and no import shows: ask a global that gives the time, is random, or reaches the outside; act when it is loaded. */

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

const kept = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:[^`\\]|\\.)*`/g;
/** Lines at the top level that declare, or go on with what the line before began. */
const declaring =
  /^(?:$|[\s})\]>]|(?:import|export (?:type|interface|const|async function|function|abstract class|class)|const|async function|function|type|interface|abstract class|class)\b|export [{*])/;

/**
 * Bundling drops such a statement (lib/bundle/pure-rules.ts). What the value of a `const` does is not looked at.
 *
 * @returns a line for each statement of a rule or a public API that acts when the file is loaded
 */
export function effectsInRule(file: string, source: string): string[] {
  if (!isPure(`/${file}`)) return [];
  const lines = source.replace(kept, (found) => (found.startsWith('`') ? "''" : '')).split('\n');
  return lines
    .filter((line) => !declaring.test(line))
    .map((line) => `${file}: has the statement ${line}: loading a rule has no effect`);
}
