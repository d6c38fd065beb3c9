import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toolFolders } from './tools.ts';

type Component = { readonly 'bom-ref': string };
type Bill = {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

const root = join(import.meta.dirname, '..');
const execFileAsync = promisify(execFile);

async function billOf(folder: string): Promise<Bill> {
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { stdout } = await execFileAsync('npm', words, {
    cwd: join(root, folder),
    maxBuffer: 1e8,
    shell: process.platform === 'win32',
  });
  return JSON.parse(stdout);
}

export async function run(): Promise<void> {
  const [ours, ...tools] = await Promise.all(['.', ...toolFolders].map(billOf));
  if (!ours) throw new Error('npm made no bill of materials');
  const bills = [ours, ...tools];
  const components = [
    ...ours.components,
    ...tools.flatMap(({ metadata, components }) => [metadata.component, ...components]),
  ];
  const dependencies = Map.groupBy(
    bills.flatMap((bill) => bill.dependencies),
    ({ ref }) => ref,
  );
  console.log(
    JSON.stringify(
      {
        ...ours,
        // A package in two lock files is one component. What it depends on can differ between them.
        components: [...new Map(components.map((each) => [each['bom-ref'], each])).values()],
        dependencies: [...dependencies].map(([ref, those]) => {
          return { ref, dependsOn: [...new Set(those.flatMap(({ dependsOn }) => dependsOn))] };
        }),
      },
      null,
      2,
    ),
  );
}
