import { applications } from '../functions/product.ts';
import { settings } from '../functions/settings.ts';
import type { Environment } from '../lib/contract/register.ts';
import { blockedRequestsLog, logicalId } from '../lib/stack/names.ts';
import type { FailedResource } from './stack-run.ts';

/** Deletes a stage, and reports what is left. A second run continues where the first one ended. */

export type DeployedStack = {
  readonly id: string;
  /** Switched on in the account itself. No template or setting here shows it. */
  readonly isProtected: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
};

type StackResource = {
  readonly logicalId: string;
  readonly type: string;
  readonly id: string;
  /** False for a deleted stack, which CloudFormation lists for 90 days. */
  readonly isThere: boolean;
};

/** A backup, and when AWS Backup deletes it. */
export type RecoveryPoint = { readonly arn: string; readonly until: Date | null };

/** The calls to the account. Lists have the results of all pages. */
export type StageAccount = {
  readonly region: () => Promise<string>;
  /** Null if there is none. */
  readonly stack: (name: string) => Promise<DeployedStack | null>;
  readonly resources: (stackId: string) => Promise<readonly StackResource[]>;
  /** The ids of stacks of this name that were deleted within 90 days. */
  readonly deletedStacks: (name: string) => Promise<readonly string[]>;
  /** Resolves at the end of the deletion, with the resources that were not deleted. */
  readonly deleteStack: (stackId: string) => Promise<readonly FailedResource[]>;
  /** Deletes all versions of all objects, also under a legal hold or governance retention. Resolves with those that it may not delete. */
  readonly emptyBucket: (name: string) => Promise<{ readonly deleted: number; readonly kept: readonly KeptObject[] }>;
  /** The platform applications that `npm run cli -- push-connect` made, by ARN. */
  readonly platformApplications: () => Promise<readonly string[]>;
  readonly deletePlatformApplication: (arn: string) => Promise<void>;
  /** When a key will be deleted; null if it does not exist or its deletion is not scheduled. */
  readonly keyDeletion: (keyId: string) => Promise<Date | null>;
  readonly recoveryPoints: (vault: string) => Promise<readonly RecoveryPoint[]>;
  /** The names that begin with this prefix. */
  readonly logGroups: (prefix: string) => Promise<readonly string[]>;
  /** Names below a path of Parameter Store. */
  readonly parameters: (path: string) => Promise<readonly string[]>;
};

export type KeptObject = { readonly key: string; readonly until: Date | null };

/** A part of the stage that is left at the end. */
export type Rest = {
  readonly what: string;
  /** Null if it stays until somebody deletes it. */
  readonly until: Date | null;
  /** It is deleted automatically, and costs nothing until then. */
  readonly isHarmless: boolean;
};

export class Refused extends Error {
  override name = 'Refused';
}

/** The order of deletion: callers, consumers and scheduled functions come before the resources that they write to. */
export function stacksOf(environment: Environment): string[] {
  return ['Dashboard', ...applications.map((application) => logicalId(application)), 'State'].map(
    (name) => `MobileHealth-${environment}-${name}`,
  );
}

/**
 * Three independent checks: the settings for the stage's name, what somebody switched on in the account, and what the stage said
 * about itself when it was deployed.
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

/** The account, region and stacks that a deletion is about. */
export async function whereabouts(environment: Environment, account: StageAccount) {
  const names = stacksOf(environment);
  const found = await Promise.all(names.map((name) => account.stack(name)));
  const id = found.find(Boolean)?.id ?? (await Promise.all(names.map(account.deletedStacks))).flat()[0];
  // arn:aws:cloudformation:eu-central-1:111122223333:stack/…
  const [, , , region = await account.region(), number = 'unknown'] = id?.split(':') ?? [];
  return { account: number, region, stacks: names.filter((_, i) => found[i]) };
}

/** A bucket of logs may get new objects while it is emptied, because S3 delivers logs late. */
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
    const left = await attempted(`the stack ${name}`, async () => {
      const stack = await account.stack(name);
      if (!stack) {
        log(`${name}: there is none`);
        for (const id of await account.deletedStacks(name)) keys.push(...keysIn(await account.resources(id)));
        return [];
      }
      const resources = await account.resources(stack.id);
      // Includes keys that an earlier run deleted: they still exist for a week.
      keys.push(...keysIn(resources));
      const undeleted = await attempted(`the stack ${name}`, () =>
        deleteWithBuckets(name, stack.id, resources, account, log),
      );
      return [...undeleted, ...(await restOfVaults(resources, account))];
    });
    rest.push(...left);
  }
  rest.push(...(await attempted('the platform applications', () => deletePhones(environment, account, log))));
  for (const id of keys) {
    const what = `the key ${id}`;
    const found = await listed(what, async () => {
      const until = await account.keyDeletion(id);
      return until ? [{ what: `${what}, which nobody can use any more`, until, isHarmless: true }] : [];
    });
    rest.push(...found);
  }
  return [...rest, ...(await strays(environment, account))];
}

function keysIn(resources: readonly StackResource[]): string[] {
  return resources.filter(({ type }) => type === 'AWS::KMS::Key').map(({ id }) => id);
}

async function deletePhones(
  environment: Environment,
  account: StageAccount,
  log: (line: string) => void,
): Promise<Rest[]> {
  const rest: Rest[] = [];
  for (const arn of await account.platformApplications()) {
    const { account: own } = settings[environment];
    if (!arn.includes(`/mobile-health-${environment}-`) || (own !== null && arn.split(':')[4] !== own)) continue;
    const left = await attempted(`the platform application ${arn}`, async () => {
      await account.deletePlatformApplication(arn);
      log(`${arn}: deleted`);
      return [];
    });
    rest.push(...left);
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
      const inBucket = await attempted(`the objects of s3://${bucket}`, async () => {
        const emptied = await account.emptyBucket(bucket);
        if (emptied.deleted > 0) log(`${bucket}: ${emptied.deleted} versions of objects deleted`);
        return emptied.kept.map(({ key, until }) => ({ what: `s3://${bucket}/${key}`, until, isHarmless: false }));
      });
      kept.push(...inBucket);
    }
    const undeleted = await account.deleteStack(id).catch((error: unknown) => [notDeleted(name, error)]);
    if (undeleted.length === 0) {
      log(`${name}: deleted`);
      const retained = () => restOfStack(name, id, [], 'is kept by its deletion policy', account);
      return [...kept, ...(await listed(`what ${name} may have left`, retained))];
    }
    const mayBeEmptied = kept.length === 0 && undeleted.every(({ type }) => type === 'AWS::S3::Bucket');
    if (mayBeEmptied && attempt < attempts) continue;
    // A failure is reported even if the other resources cannot be listed.
    const rest = await restOfStack(name, id, undeleted, waits, account).catch((error: unknown) =>
      [...undeleted, notDeleted(name, error)].map((each) => restOf(name, each)),
    );
    log(`${name}: ${rest.length} of its resources are not deleted`);
    return [...kept, ...rest];
  }
}

const waits = 'waits for what could not be deleted';

function restOf(stack: string, { logicalId, type, reason }: FailedResource): Rest {
  return { what: `${logicalId} (${type}) of ${stack}: ${reason}`, until: null, isHarmless: false };
}

/** Reports the stack itself if its deletion could not be started or waited for. */
function notDeleted(stack: string, error: unknown): FailedResource {
  return { logicalId: stack, type: 'AWS::CloudFormation::Stack', reason: textOf(error) };
}

/** All resources that are left: those that failed, with the reason, and those that CloudFormation did not try. */
async function restOfStack(
  stack: string,
  id: string,
  undeleted: readonly FailedResource[],
  otherwise: string,
  account: StageAccount,
): Promise<Rest[]> {
  const reasons = new Map(undeleted.map(({ logicalId, reason }) => [logicalId, reason]));
  const there = (await account.resources(id)).filter(({ isThere }) => isThere);
  const named = new Map([...undeleted, ...there].map(({ logicalId, type }) => [logicalId, type]));
  const ofThis = [...named].map(([logicalId, type]) =>
    restOf(stack, { logicalId, type, reason: reasons.get(logicalId) ?? otherwise }),
  );
  const nested = there.filter(({ type }) => type === 'AWS::CloudFormation::Stack');
  const below = await Promise.all(
    nested.map(({ logicalId, id: nestedId }) => restOfStack(`${stack}/${logicalId}`, nestedId, [], otherwise, account)),
  );
  return [...ofThis, ...below.flat()];
}

/** Backups outlive their tables. If they cannot be listed, this is reported, and the run continues. */
async function restOfVaults(resources: readonly StackResource[], account: StageAccount): Promise<Rest[]> {
  const rest: Rest[] = [];
  for (const vault of idsOf(resources, 'AWS::Backup::BackupVault')) {
    rest.push(
      ...(await listed(`the vault ${vault}`, async () =>
        (
          await account.recoveryPoints(vault)
        ).map(({ arn, until }) => ({
          what: `the backup ${arn} in the vault ${vault}`,
          until,
          isHarmless: false,
        })),
      )),
    );
  }
  return rest;
}

/** Resources with the stage's name that are in no stack: they were written late, or an earlier deletion failed and left them. */
async function strays(environment: Environment, account: StageAccount): Promise<Rest[]> {
  const stays = (what: string): Rest => ({ what, until: null, isHarmless: false });
  const groups = [
    `MobileHealth-${environment}-`,
    `/aws/lambda/MobileHealth-${environment}-`,
    blockedRequestsLog(environment),
  ];
  const found = await Promise.all([
    ...groups.map((prefix) =>
      listed(`log groups ${prefix}*`, async () =>
        (await account.logGroups(prefix)).map((name) => stays(`the log group ${name}`)),
      ),
    ),
    listed('Parameter Store', async () =>
      (await account.parameters(`/mobile-health/${environment}/`)).map((name) => stays(`the parameter ${name}`)),
    ),
  ]);
  return found.flat();
}

async function listed(what: string, list: () => Promise<Rest[]>): Promise<Rest[]> {
  return list().catch((error: unknown) => {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return [];
    return [{ what: `${what}: could not be checked, ${textOf(error)}`, until: null, isHarmless: false }];
  });
}

/** A failed step is reported with what is left, and the remaining steps still run. */
async function attempted(what: string, step: () => Promise<Rest[]>): Promise<Rest[]> {
  return step().catch((error: unknown) => [
    { what: `${what}: could not be deleted, ${textOf(error)}`, until: null, isHarmless: false },
  ]);
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function idsOf(resources: readonly StackResource[], type: string): string[] {
  return resources.filter((resource) => resource.type === type && resource.isThere).map(({ id }) => id);
}
