import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export type Resource = {
  Type: string;
  Condition?: string;
  Properties?: Record<string, unknown>;
  Metadata?: Record<string, unknown>;
};
export type Template = {
  Parameters?: Record<string, unknown>;
  Mappings?: Record<string, unknown>;
  Conditions?: Record<string, unknown>;
  Resources?: Record<string, Resource>;
  Outputs?: Record<string, unknown>;
};

/** Writes what `cdk synth` would, and removes it after the test. `assets`: object key → name of a file or folder. */
export function assembly(stacks: Record<string, Template>, assets: Record<string, string | Template> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'assembly-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const write = (name: string, content: unknown) => writeFileSync(join(directory, name), JSON.stringify(content));
  const files = Object.entries(assets).map(([objectKey, content]) => {
    if (typeof content !== 'string') write(objectKey, content);
    const path = typeof content === 'string' ? content : objectKey;
    return [objectKey, { source: { path }, destinations: { current: { objectKey } } }];
  });
  write('assets.json', { files: Object.fromEntries(files) });
  const artifacts: Record<string, unknown> = {
    assets: { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } },
  };
  for (const [name, template] of Object.entries(stacks)) {
    write(`${name}.template.json`, template);
    artifacts[name] = {
      type: 'aws:cloudformation:stack',
      environment: 'aws://unknown-account/eu-central-1',
      properties: { templateFile: `${name}.template.json` },
    };
  }
  write('manifest.json', { artifacts });
  return directory;
}
