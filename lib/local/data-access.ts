import type { PlatformApplications } from '../contract/push-platforms.ts';
import { secretVariable } from '../contract/secrets.ts';
import { administrator, type Credentials } from './credentials.ts';
import { seededUserId } from './identity/seeded-users.ts';
import type { StageModel } from './model.ts';
import { bucketNamed, tableNamed } from './physical-names.ts';
import { applicationsByPlatform } from './platform-applications.ts';
import type { Services } from './services.ts';

/** Where the data is, for code that fills or inspects it. No policy limits these credentials. */
export type DataAccess = {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: Credentials;
  /** The physical name of a table: `Agreements` → `dev-…-Agreements…`. @throws an Error for an unknown table */
  readonly tables: (name: string) => string;
  /** The template's environment: `dev`. @throws an Error where no function is given it */
  readonly environment: () => string;
  /** The ARN of the current signing key: `ReceiptKey`. @throws an Error for an unknown key */
  readonly signingKeys: (name: string) => string;
  readonly snsEndpoint: string;
  readonly kmsEndpoint: string;
  readonly lambdaEndpoint: string;
  readonly eventBusEndpoint: string;
  readonly s3Endpoint: string;
  /**
   * The physical name of a bucket: `StreamFailures` → `dev-…-streamfailures-…`.
   *
   * @throws an Error for an unknown bucket
   */
  readonly buckets: (name: string) => string;
  /** The value of a secret, by its name, as functions get it. @throws an Error if no function gets this secret */
  readonly secrets: (name: string) => string;
  /** The platform applications that the template gives to its functions. */
  readonly platformApplications: () => PlatformApplications;
  /** The `sub` of each user who can sign in from the start. */
  readonly seededUserId: (application: string, name: string) => string | null;
};

export function dataAccess(model: () => StageModel, { urls }: Pick<Services, 'urls'>): DataAccess {
  return {
    endpoint: urls.dynamodb,
    region: model().region,
    credentials: administrator,
    tables: (name) => tableNamed(model(), name),
    environment: () => variableIn(model(), 'ENVIRONMENT', 'its environment'),
    signingKeys: (name) => {
      const found = model().outputs.find((output) => output.name === `${name}Arn`);
      if (!found) throw new Error(`there is no signing key ${name}`);
      return found.value;
    },
    snsEndpoint: urls.sns,
    kmsEndpoint: urls.kms,
    lambdaEndpoint: urls.lambda,
    eventBusEndpoint: urls.eventbridge,
    s3Endpoint: urls.s3,
    buckets: (name) => bucketNamed(model(), name),
    secrets: (name) => variableIn(model(), secretVariable({ name }), `the secret ${name}`),
    platformApplications: () => applicationsByPlatform(model()),
    seededUserId: (application, name) => seededUserId(model(), application, name),
  };
}

function variableIn({ functions }: StageModel, name: string, what: string): string {
  const value = functions.map(({ environment }) => environment[name]).find(Boolean);
  if (!value) throw new Error(`no function is given ${what}`);
  return value;
}
