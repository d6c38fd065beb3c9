import { applicationArn, assertArn, isPlatform, relativePart } from './arns.ts';
import { type Application, endpointsOf } from './directory.ts';
import { eventAttributes } from './events.ts';
import { flagIn, invalid, missing, notFound } from './failures.ts';
import { pageOf } from './paging.ts';
import type { Action, Service } from './service.ts';
import { entriesOf, mapOf, type Parameters } from './wire.ts';

/** Platform applications: https://docs.aws.amazon.com/sns/latest/api/API_SetPlatformApplicationAttributes.html */

/** Accepted but not stored: nothing here signs in to Apple or Google. */
const SECRETS = ['PlatformCredential', 'PlatformPrincipal'];
const ATTRIBUTES = [
  ...SECRETS,
  ...eventAttributes,
  'Enabled',
  'ApplePlatformBundleID',
  'ApplePlatformTeamID',
  'SuccessFeedbackRoleArn',
  'FailureFeedbackRoleArn',
  'SuccessFeedbackSampleRate',
];

export const applications: Readonly<Record<string, Action>> = {
  /** A second call with the same name and platform returns the first application, with the new attributes. */
  async CreatePlatformApplication(service, parameters) {
    const { Name: name, Platform: platform } = parameters;
    if (name === undefined) throw missing('Name');
    if (platform === undefined) throw missing('Platform');
    assertName(name);
    if (!isPlatform(platform)) throw invalid('Platform', `${platform} is not supported`);
    const given = readAttributes(parameters);
    assertCredentials(given, platform);
    const arn = applicationArn(service.account, platform, name);
    const existing = service.directory.applications.get(arn);
    const application = existing ?? { arn, platform, name, attributes: { Enabled: 'true' } };
    apply(application, given);
    service.directory.applications.set(arn, application);
    service.directory.save();
    return { PlatformApplicationArn: arn };
  },

  async GetPlatformApplicationAttributes(service, parameters) {
    return { Attributes: entriesOf(applicationIn(service, parameters).attributes) };
  },

  async SetPlatformApplicationAttributes(service, parameters) {
    const given = readAttributes(parameters);
    apply(applicationIn(service, parameters), given);
    service.directory.save();
    return null;
  },

  async ListPlatformApplications({ directory }, { NextToken }) {
    const all = [...directory.applications.values()].map((each, index) => ({ ...each, sequence: index + 1 }));
    const { page, next } = pageOf(all, NextToken);
    return {
      PlatformApplications: {
        member: page.map(({ arn, attributes }) => ({
          PlatformApplicationArn: arn,
          Attributes: entriesOf(attributes),
        })),
      },
      NextToken: next,
    };
  },

  /** Deletes an application with all of its endpoints. Deleting a missing application succeeds, too. */
  async DeletePlatformApplication({ directory }, parameters) {
    const arn = applicationArnIn(parameters);
    const application = directory.applications.get(arn);
    if (application) {
      for (const endpoint of endpointsOf(directory, application)) directory.endpoints.delete(endpoint.arn);
      directory.applications.delete(arn);
      directory.save();
    }
    return null;
  },
};

/** @throws InvalidParameter, NotFound */
export function applicationIn({ directory }: Service, parameters: Parameters): Application {
  const application = directory.applications.get(applicationArnIn(parameters));
  if (!application) throw notFound('PlatformApplication');
  return application;
}

function applicationArnIn({ PlatformApplicationArn: arn }: Parameters): string {
  if (arn === undefined) throw missing('PlatformApplicationArn');
  assertArn('PlatformApplicationArn', arn, 'app');
  return arn;
}

function readAttributes(parameters: Parameters): Map<string, string> {
  const given = mapOf(parameters, 'Attributes');
  if (!given) throw missing('Attributes');
  for (const [name, value] of given) {
    if (!ATTRIBUTES.includes(name)) throw invalid('Attributes', `Invalid attribute name: ${name}`);
    // Whether the topic exists is not checked: there are no topics here.
    if (eventAttributes.includes(name) && value !== '' && !isTopic(value)) {
      throw invalid('Attributes', `${name} has invalid ARN format`);
    }
    if (name === 'Enabled') flagIn(value);
  }
  return given;
}

function isTopic(arn: string): boolean {
  return /^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w.-]+$/.test(arn) && relativePart('TopicArn', arn) !== '';
}

function apply(application: Application, given: ReadonlyMap<string, string>): void {
  for (const [name, value] of given) {
    if (SECRETS.includes(name)) continue;
    if (value === '') delete application.attributes[name];
    else application.attributes[name] = name === 'Enabled' ? flagIn(value) : value;
  }
}

function assertName(name: string): void {
  const problem = (reason: string) => invalid(name, reason);
  if (name === '') throw problem('cannot be empty');
  if (name.length > 256) throw problem('must be at most 256 characters long');
  if (!/^[\w.-]+$/.test(name)) {
    throw problem("must contain only characters 'a'-'z', 'A'-'Z', '0'-'9', '_', '-', and '.'");
  }
}

/** Apple's two platforms need a certificate or key and its name; Google's needs one credential. */
function assertCredentials(given: ReadonlyMap<string, string>, platform: string): void {
  const [hasCredential, hasPrincipal] = SECRETS.map((name) => Boolean(given.get(name)));
  const problem = (has: string, lacks: string) => invalid('Attributes', `${has} attribute provided without ${lacks}`);
  if (hasPrincipal && !hasCredential) throw problem('PlatformPrincipal', 'PlatformCredential');
  if (!hasCredential) throw invalid('Attributes', 'PlatformCredential attribute is required');
  if (platform !== 'GCM' && !hasPrincipal) throw problem('PlatformCredential', 'PlatformPrincipal');
}
