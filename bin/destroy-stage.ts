import { applications, type Environment } from '../lib/contract/deployments.ts';
import { logicalId } from '../lib/stack/names.ts';
import { settings } from '../lib/stack/settings.ts';
import type { FailedResource } from './stack-run.ts';

/** Takes a stage down, and tells what stays. A second run goes on where the first one ended. */

export type DeployedStack = {
  readonly id: string;
  /** Switched on in the account itself: no template and no setting here says so. */
  readonly isProtected: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
};

export type StackResource = { readonly logicalId: string; readonly type: string; readonly id: string };

/** What is asked and done of the account. */
export type StageAccount = {
  /** Null: there is none. */
  readonly stack: (name: string) => Promise<DeployedStack | null>;
  readonly resources: (stackId: string) => Promise<readonly StackResource[]>;
  /** Resolves when it is over, with what was not deleted. */
  readonly deleteStack: (stackId: string) => Promise<readonly FailedResource[]>;
  /** All versions of all objects, legal holds and governance retention included; resolves with what it may not delete. */
  readonly emptyBucket: (name: string) => Promise<{ readonly deleted: number; readonly kept: readonly KeptObject[] }>;
  /** What `npm run push:connect` made, by ARN. */
  readonly platformApplications: () => Promise<readonly string[]>;
  readonly deletePlatformApplication: (arn: string) => Promise<void>;
  /** When a key is gone for good; null: it is not to be deleted, or not there. */
  readonly keyDeletion: (keyId: string) => Promise<Date | null>;
};

export type KeptObject = { readonly key: string; readonly until: Date | null };

/** Something of the stage that is there when all is done. */
export type Rest = {
  readonly what: string;
  /** `null`: until somebody deletes it. */
  readonly until: Date | null;
  /** It goes by itself, and costs nothing until then. */
  readonly isHarmless: boolean;
};

export class Refused extends Error {
  override name = 'Refused';
}

/** The order of deletion: what calls, consumes and runs by the clock before what it writes to. */
export function stacksOf(environment: Environment): string[] {
  return ['Dashboard', ...applications.map((application) => logicalId(application)), 'State'].map(
    (name) => `MobileHealth-${environment}-${name}`,
  );
}

/**
 * Three that do not know of each other: what the settings say of the stage's name, what somebody switched on in the account,
 * and what the stage said of itself when it was deployed.
 *
 * @throws Refused
 */
export async function refuseWhatKeepsData(environment: Environment, account: StageAccount): Promise<void> {
  if (environment === 'prod' || settings[environment].keepsData)
    throw new Refused(`${environment} keeps its data and is never destroyed by this command`);
  for (const name of stacksOf(environment)) {
    const stack = await account.stack(name);
    if (!stack) continue;
    if (stack.isProtected) throw new Refused(`${name} is protected from termination in this account`);
    const tagged: string = stack.tags.environment ?? environment;
    if (tagged !== environment) throw new Refused(`${name} is tagged as ${tagged}`);
    if ((stack.outputs.KeepsData ?? 'false') !== 'false')
      throw new Refused(`${name} was deployed as a stage that keeps its data`);
  }
}

/** A bucket of logs may get some while it is emptied, as S3 delivers them late. */
const attempts = 3;

export async function destroyStage(
  environment: Environment,
  account: StageAccount,
  log: (line: string) => void,
): Promise<Rest[]> {
  await refuseWhatKeepsData(environment, account);
  const rest: Rest[] = [];
  const keys: string[] = [];
  for (const name of stacksOf(environment)) {
    const stack = await account.stack(name);
    if (!stack) {
      log(`${name}: there is none`);
      continue;
    }
    const resources = await account.resources(stack.id);
    keys.push(...idsOf(resources, 'AWS::KMS::Key'));
    rest.push(...(await deleteWithBuckets(name, stack.id, resources, account, log)));
  }
  for (const arn of await account.platformApplications()) {
    if (!arn.includes(`/mobile-health-${environment}-`)) continue;
    await account.deletePlatformApplication(arn);
    log(`${arn}: deleted`);
  }
  for (const id of keys) {
    const until = await account.keyDeletion(id);
    if (until) rest.push({ what: `the key ${id}, which nobody can use any more`, until, isHarmless: true });
  }
  return rest;
}

async function deleteWithBuckets(
  name: string,
  id: string,
  resources: readonly StackResource[],
  account: StageAccount,
  log: (line: string) => void,
): Promise<Rest[]> {
  for (let attempt = 1; ; attempt++) {
    const kept: Rest[] = [];
    for (const bucket of idsOf(resources, 'AWS::S3::Bucket')) {
      const emptied = await account.emptyBucket(bucket);
      if (emptied.deleted > 0) log(`${bucket}: ${emptied.deleted} versions of objects deleted`);
      kept.push(...emptied.kept.map(({ key, until }) => ({ what: `s3://${bucket}/${key}`, until, isHarmless: false })));
    }
    const undeleted = await account.deleteStack(id);
    if (undeleted.length === 0) {
      log(`${name}: deleted`);
      return kept;
    }
    const mayBeEmptied = kept.length === 0 && undeleted.every(({ type }) => type === 'AWS::S3::Bucket');
    if (mayBeEmptied && attempt < attempts) continue;
    log(`${name}: ${undeleted.length} of its resources are not deleted`);
    return [...kept, ...undeleted.map((each) => restOf(name, each))];
  }
}

function restOf(stack: string, { logicalId: id, type, reason }: FailedResource): Rest {
  return { what: `${id} (${type}) of ${stack}: ${reason}`, until: null, isHarmless: false };
}

function idsOf(resources: readonly StackResource[], type: string): string[] {
  return resources.filter((resource) => resource.type === type).map(({ id }) => id);
}
