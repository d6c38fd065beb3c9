import { endpointEventsTo } from '../contract/platform-applications.ts';
import { type PlatformApplications, platformApplicationsVariable } from '../contract/push-platforms.ts';
import { administrator, serviceCheck } from './credentials.ts';
import type { StageModel } from './model.ts';
import { isPlatform, type Platform } from './sns/arns.ts';
import { type Sns, type SnsOptions, startSns } from './sns/sns.ts';

/**
 * The stage's SNS with the platform applications that the template's functions know. CloudFormation has no such type,
 * so no resource of the template is a platform application.
 */

type Options = Pick<SnsOptions, 'dataDir' | 'intercept' | 'onEvent'> & {
  /** A running emulator that replaces the stage's own SNS. */
  readonly endpoint: string | undefined;
};

type Application = { readonly arn: string; readonly platform: Platform };

/** `sns` is null with another emulator, because its pushes are not seen here. */
export type Platforms = { readonly url: string; readonly sns: Sns | null; readonly close: () => Promise<void> };

export async function startPlatforms(model: () => StageModel, { endpoint, ...options }: Options): Promise<Platforms> {
  const { region, accountId } = model();
  const applications = platformApplicationsIn(model());
  if (!endpoint) {
    const attributes = eventAttributesIn(model());
    const platformApplications = applications.map((application) => ({ ...application, attributes }));
    const authorize = serviceCheck(model, 'sns');
    const sns = await startSns({ region, accountId, platformApplications, authorize, ...options });
    return { url: sns.url, sns, close: sns.close };
  }
  for (const application of applications) await createAt(endpoint, region, application);
  return { url: endpoint, sns: null, close: async () => undefined };
}

/** As `npm run cli -- push-connect` sets them. */
function eventAttributesIn({ topics }: StageModel): Readonly<Record<string, string>> {
  const topic = topics.find(({ takesEventsOfSns }) => takesEventsOfSns);
  return topic ? endpointEventsTo(topic.arn) : {};
}

/** Each platform application once, even if several functions have it. */
export function platformApplicationsIn({ functions }: StageModel): Application[] {
  const arns = functions.flatMap(({ environment }) => {
    const written = environment[platformApplicationsVariable];
    return written ? Object.values(JSON.parse(written) as PlatformApplications) : [];
  });
  return [...new Set(arns)].map((arn) => {
    const [, platform = ''] = arn.slice(arn.lastIndexOf(':') + 1).split('/');
    if (!isPlatform(platform)) throw new Error(`${arn} is no platform application that runs on this machine`);
    return { arn, platform };
  });
}

/** @throws an Error if no emulator answers, or if it gives the application another ARN than the template */
async function createAt(endpoint: string, region: string, { arn, platform }: Application): Promise<void> {
  const attributes = ['PlatformCredential', 'PlatformPrincipal'].flatMap((key, index): [string, string][] => [
    [`Attributes.entry.${index + 1}.key`, key],
    [`Attributes.entry.${index + 1}.value`, 'local'],
  ]);
  const Name = arn.slice(arn.lastIndexOf('/') + 1);
  const call = { Action: 'CreatePlatformApplication', Version: '2010-03-31', Name, Platform: platform };
  const date = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${administrator.accessKeyId}/${date.slice(0, 8)}/${region}/sns/aws4_request`;
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'X-Amz-Date': date,
      // No emulator verifies a signature.
      Authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
    },
    body: new URLSearchParams([...Object.entries(call), ...attributes]),
  }).catch((error: unknown) => {
    throw new Error(`no SNS answers at ${endpoint}`, { cause: error });
  });
  const text = await response.text();
  const made = /<PlatformApplicationArn>([^<]+)</.exec(text)?.[1];
  if (made !== arn) throw new Error(`SNS at ${endpoint} made ${made ?? text.slice(0, 200)} where the stage has ${arn}`);
}

/** The platform applications by platform, as the functions read them; empty if no function knows any. */
export function applicationsByPlatform({ functions }: StageModel): PlatformApplications {
  const written = functions.map(({ environment }) => environment[platformApplicationsVariable]).find(Boolean);
  return written ? (JSON.parse(written) as PlatformApplications) : {};
}
