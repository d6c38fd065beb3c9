import { invalid } from './failures.ts';

/** `arn:aws:sns:<region>:<account>:app/<platform>/<name>` and `…:endpoint/<platform>/<name>/<uuid>`. */

const platforms = ['APNS', 'APNS_SANDBOX', 'GCM'] as const;
export type Platform = (typeof platforms)[number];
export type RegionAndAccount = { readonly region: string; readonly accountId: string };

export function isPlatform(name: string): name is Platform {
  return (platforms as readonly string[]).includes(name);
}

export function applicationArn({ region, accountId }: RegionAndAccount, platform: Platform, name: string): string {
  return `arn:aws:sns:${region}:${accountId}:app/${platform}/${name}`;
}

export function endpointArn(application: string, id: string): string {
  return `${application.replace(':app/', ':endpoint/')}/${id}`;
}

/** @throws InvalidParameter for a text that is no ARN of that kind; whether the resource exists is not checked */
export function assertArn(parameter: string, arn: string, kind: 'app' | 'endpoint'): void {
  const relative = relativePart(parameter, arn);
  if (relative.split('/').length !== (kind === 'app' ? 3 : 4) || !relative.startsWith(`${kind}/`)) {
    throw invalid(parameter, 'Wrong number of slashes in relative portion of the ARN.');
  }
}

/** The part after the account. @throws InvalidParameter */
export function relativePart(parameter: string, arn: string): string {
  const elements = arn.split(':');
  if (elements.length < 6) throw invalid(parameter, `An ARN must have at least 6 elements, not ${elements.length}`);
  return elements.slice(5).join(':');
}
