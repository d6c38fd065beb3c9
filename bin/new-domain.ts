import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const templates = new URL('new-domain/', import.meta.url).pathname;
const list = 'functions/domains.ts';
const wrongHands = 'docs/security/roles.md';
const ending = '.template';

export type Names = {
  /** `sleep-diary`: the folder's name, and a part of each path. */
  readonly kebab: string;
  /** `SleepDiary`: a part of the declarations' names. */
  readonly Name: string;
  /** `sleep diary` */
  readonly words: string;
};

/** @throws an Error that explains which names are allowed */
export function namesOf(kebab: string): Names {
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(kebab) || kebab.length > 24) {
    throw new Error(
      `${JSON.stringify(kebab)} is not a name for a domain: use up to 24 letters and digits, such as sleep-diary or groups`,
    );
  }
  const parts = kebab.split('-');
  const Name = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  return { kebab, Name, words: parts.join(' ') };
}

/** The files of the new domain by their paths below the project's root. */
export function filesOf(names: Names): Map<string, string> {
  const found = globSync(`{functions,test}/**/*${ending}`, { cwd: templates }).toSorted();
  return new Map(
    found.map((path) => {
      const [room = '', ...below] = filled(path.slice(0, -ending.length), names).split('/');
      return [join(room, names.kebab, ...below), filled(templateOf(path), names)];
    }),
  );
}

function templateOf(path: string): string {
  return readFileSync(join(templates, path), 'utf8');
}

function filled(text: string, names: Names): string {
  return text.replace(/\{\{(kebab|Name|words)\}\}/g, (_all, name: keyof Names) => names[name]);
}

/**
 * The list of domains with one more line at its end.
 *
 * @throws an Error if the list has another form
 */
export function withDomain(text: string, names: Names): string {
  const line = filled(templateOf(`line-of-domains${ending}`), names).trimEnd();
  const begin = text.indexOf('export const domains');
  const end = text.indexOf('\n};', begin);
  if (begin < 0 || end < 0) throw new Error(`${list} has no list of domains`);
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}

/**
 * The page with a row about the new table, whose rights `npm run generate` fills in.
 *
 * @throws an Error if the page has no such table
 */
export function withWrongHandsOf(page: string, names: Names): string {
  const close = '<!-- /tables -->';
  if (!page.includes(close)) throw new Error(`${wrongHands} has no table of tables`);
  return page.replace(close, `${filled(templateOf(`row-of-wrong-hands${ending}`), names).trim()}\n\n${close}`);
}

export function run(kebab: string): void {
  const names = namesOf(kebab);
  const root = new URL('../', import.meta.url).pathname;
  const files = filesOf(names);
  const taken = [`functions/${kebab}`, `test/${kebab}`].filter((path) => existsSync(join(root, path)));
  if (taken.length > 0) throw new Error(`these exist already: ${taken.join(', ')}`);
  const changed = {
    [list]: withDomain(readFileSync(join(root, list), 'utf8'), names),
    [wrongHands]: withWrongHandsOf(readFileSync(join(root, wrongHands), 'utf8'), names),
  };
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const [path, text] of Object.entries(changed)) writeFileSync(join(root, path), text);
  // The formatter runs because line breaks and the order of imports depend on the name.
  npm(root, 'format', list, ...files.keys());
  npm(root, 'generate');
  npm(root, 'test', 'test/stack/assembly.test.ts', '--update', '--reporter=dot');
  console.log(
    `${[...files.keys()].join('\n')}\n\nNext: npm run check, npm test -- test/${kebab}, and docs/adding-a-domain.md. Rewrite the texts in personal-data.ts (also "inGerman"), reference.ts and ${wrongHands}`,
  );
}

function npm(cwd: string, script: string, ...args: string[]): void {
  execFileSync('npm', ['run', '--silent', script, '--', ...args], { cwd, stdio: 'inherit' });
}
