import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { options, slow } from './vitest.config.ts';
import { waits } from './waiting.ts';

const domains = globSync('functions/*/index.ts', { cwd: options.root }).map((file) => basename(dirname(file)));
const ofDomains = globSync(`test/{${domains.join()}}/**/*.test.ts`, { cwd: options.root, exclude: [slow] }).toSorted();

/** What a busy machine can change: the tests that wait, and those of faults, of hostile requests and of the local stage. */
export const loaded = [
  ...ofDomains.filter((file) => waits(file)),
  ...['faults', 'hostile', 'local'].map((folder) => `test/${folder}/**/*.test.ts`),
];

/** The other tests of every domain. */
export const quiet = ofDomains.filter((file) => !loaded.includes(file));

/** The tests that wait stand evenly among the others, which keep both cores busy beside them. */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLoad = ({ moduleId }: TestSpecification) => quiet.some((file) => moduleId.endsWith(`/${file}`));
    const [load, waiting] = [files.filter(isLoad), files.filter((file) => !isLoad(file))];
    const places = [load, waiting].flatMap((all) => all.map((file, at) => ({ file, place: (at + 0.5) / all.length })));
    return places.toSorted((one, other) => one.place - other.place).map(({ file }) => file);
  }
}

/**
 * `npm run test:deployed`: the tests of every domain, of faults, of hostile requests and of the local stage, on the very bundles
 * that are deployed. Those that wait (`loaded`) run beside the others (`quiet`), by four workers on two cores: in one project, since
 * vitest starts another worker for a file of another project.
 */
export default defineConfig({
  test: {
    ...options,
    include: [...quiet, ...loaded],
    exclude: [slow, '**/node_modules/**'],
    // Stages that a test starts itself follow it, too.
    env: { ...options.env, AS_DEPLOYED: 'true' },
    sequence: { sequencer: Mixed },
  },
});
