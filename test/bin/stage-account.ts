import { type DeployedStack, type StageAccount, stacksOf } from '../../bin/destroy-stage.ts';
import type { Environment } from '../../lib/contract/register.ts';

/** An account with a stage in it, that does what a test asks for and remembers it. */
export function accountWith(
  environment: Environment,
  changed: Partial<DeployedStack> = {},
  more: Partial<StageAccount> = {},
) {
  const there = new Set(stacksOf(environment));
  const objects = new Map([
    ['checkpoints', 3],
    ['logs', 1],
  ]);
  const done: string[] = [];
  const account: StageAccount = {
    async stack(name) {
      const isState = name.endsWith('-State');
      const outputs: DeployedStack['outputs'] = isState ? { KeepsData: 'false' } : {};
      const made: DeployedStack = { id: `id of ${name}`, isProtected: false, outputs, tags: { environment } };
      return there.has(name) ? { ...made, ...(isState && changed) } : null;
    },
    region: async () => 'eu-central-1',
    async resources(id) {
      const isThere = there.has(id.replace('id of ', ''));
      if (!id.endsWith('-State')) return [{ logicalId: 'Role', type: 'AWS::IAM::Role', id: 'role', isThere }];
      return [
        { logicalId: 'Checkpoints', type: 'AWS::S3::Bucket', id: 'checkpoints', isThere },
        { logicalId: 'Logs', type: 'AWS::S3::Bucket', id: 'logs', isThere },
        { logicalId: 'Key', type: 'AWS::KMS::Key', id: 'a-key', isThere },
      ];
    },
    deletedStacks: async (name) => (stacksOf(environment).includes(name) && !there.has(name) ? [`id of ${name}`] : []),
    recoveryPoints: async () => [],
    logGroups: async () => [],
    parameters: async () => [],
    async emptyBucket(name) {
      const deleted = objects.get(name) ?? 0;
      objects.set(name, 0);
      done.push(`empty ${name}`);
      return { deleted, kept: [] };
    },
    async deleteStack(id) {
      const name = id.replace('id of ', '');
      const full = name.endsWith('-State') ? [...objects].filter(([, count]) => count > 0) : [];
      if (full.length > 0)
        return full.map(([bucket]) => ({ logicalId: bucket, type: 'AWS::S3::Bucket', reason: 'not empty' }));
      there.delete(name);
      done.push(`delete ${name}`);
      return [];
    },
    platformApplications: async () => [
      `arn:aws:sns:eu-central-1:000000000000:app/GCM/mobile-health-${environment}-android`,
      'arn:aws:sns:eu-central-1:000000000000:app/GCM/mobile-health-prod-android',
    ],
    async deletePlatformApplication(arn) {
      done.push(`delete ${arn.split('/').at(-1)}`);
    },
    keyDeletion: async () => new Date('2026-12-01T00:00:00Z'),
    ...more,
  };
  return { account, there, done, objects };
}
