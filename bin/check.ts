import type { Part } from './commands/check-parts.ts';
import { runTool } from './run-tool.ts';

const parts: Readonly<Record<Part, () => unknown>> = {
  types: async () => (await import('./check-types.ts')).run(),
  lint: () => runTool('bin/tools/lint', 'biome', ['check']),
  unused: () => runTool('bin/tools/lint', 'knip', ['--no-progress']),
  generated: async () => (await import('./generate.ts')).generate(true),
  imports: async () => (await import('./check-imports.ts')).run(),
  spec: async () => (await import('./check-spec.ts')).run(),
  packages: async () => (await import('./check-packages.ts')).run(),
  advisories: async () => (await import('./check-advisories.ts')).run(),
  contacts: async () => (await import('./check-contacts.ts')).run(),
};

/** It ends at the first part that finds something. */
export async function run(names: readonly Part[]): Promise<void> {
  for (const name of names) {
    await parts[name]();
    if (process.exitCode) return;
  }
}
