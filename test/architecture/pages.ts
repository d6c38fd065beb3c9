import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { isDeployed } from '../api.ts';

const root = new URL('../..', import.meta.url).pathname;
/** Where examples are: each is tested, wherever it lies. */
const readmes = globSync(['README*.md', 'docs/domains/*.md'], { cwd: root }).sort();
const texts = readmes.map((page) => readFileSync(join(root, page), 'utf8'));
export const readme = texts.join('\n');

/** The commands below a marker, which several pages may have alike. */
export function shellOf(name: string): string {
  const marked = new RegExp(`<!-- ${name} -->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``);
  const found = new Set(texts.map((text) => marked.exec(text)?.[1]).filter((shell) => shell !== undefined));
  const [shell] = found;
  if (shell === undefined || found.size > 1) throw new Error(`${found.size} different blocks of ${name}`);
  return shell;
}

// What is pasted waits for no limit of a deployed stage, and uses the local stage's users.
export const pasted = test.skipIf(isDeployed());
