import type { TestProject } from 'vitest/node';
import { pushOwner } from '../bin/push-owner.ts';
import { seed } from '../bin/seed.ts';
import { startStage } from '../bin/stage.ts';
import { basesAt } from './api.ts';
import { watchPersonalData } from './personal-data.ts';

/** Starts the real local stage once for all API tests; with `BASE_URL` they speak to a deployed one instead. */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { BASE_URL: deployed, BASE_URL_MEDINFO: medinfo } = process.env;
  if (deployed) {
    const bases = basesAt(new URL(deployed).origin);
    project.provide('bases', { sleepcare: deployed.replace(/\/$/, ''), medinfo: medinfo ?? bases.medinfo });
    project.provide('isDeployed', true);
    project.provide('personalData', null);
    return undefined;
  }
  const { directory, onLog, assertNoneTold } = watchPersonalData();
  // A config without `env` has none (test/bench.config.ts).
  const { AS_DEPLOYED, ENVIRONMENTS, PATIENCE } = project.config.env ?? {};
  const stage = await startStage({
    seed,
    pushOwner,
    rateLimit: false,
    asDeployed: AS_DEPLOYED === 'true',
    patience: Number(PATIENCE ?? 1),
    // Four are as good as ten for a race, and each costs a tenth of a second of a core.
    ...(ENVIRONMENTS !== undefined && { maxEnvironments: Number(ENVIRONMENTS) }),
    onLog,
  });
  project.provide('bases', basesAt(stage.url));
  project.provide('isDeployed', false);
  project.provide('personalData', directory);
  return async () => {
    await stage.close();
    console.log(assertNoneTold());
  };
}
