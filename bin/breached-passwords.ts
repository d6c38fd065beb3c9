import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { breachedModule } from './breached-module.ts';
import { loadTool } from './tools.ts';

const file = join(import.meta.dirname, '..', 'functions', 'accounts', 'rules', 'breached-generated.ts');

type List = { breachedPasswords: () => string[] };

export async function run(): Promise<void> {
  const { breachedPasswords } = await loadTool<List>(new URL('tools/passwords/list.ts', import.meta.url));
  writeFileSync(file, breachedModule(breachedPasswords()));
}
