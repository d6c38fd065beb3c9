import type { ServerResponse } from 'node:http';
import type { DataAccess } from './data-access.ts';
import type { StageModel } from './model.ts';
import { sendJson } from './page/answers.ts';

/** How commands reach this stage's services, as `bin/stage-access.ts` reads it. */
export type ServiceAccess = {
  readonly region: string;
  readonly credentials: DataAccess['credentials'];
  /** By service. */
  readonly endpoints: {
    readonly dynamodb: string;
    readonly s3: string;
    readonly kms: string;
    readonly eventbridge: string;
    readonly cognito: string;
  };
  /** The outputs of the stack with the stage's data: `ConsentRecordsTableName`, `LedgerKeyArn`. */
  readonly outputs: Readonly<Record<string, string>>;
};

/** `GET /_local/access`: no policy limits these credentials, and they open nothing outside this machine. */
export function answerAccess(
  response: ServerResponse,
  data: DataAccess,
  model: StageModel,
  issuer: { url: string },
): void {
  sendJson(response, accessOf(data, model, issuer));
}

export function accessOf(data: DataAccess, { outputs }: StageModel, issuer: { url: string }): ServiceAccess {
  const { region, endpoint, s3Endpoint, kmsEndpoint, eventBusEndpoint } = data;
  // The SDK marks credentials that went through a client.
  const { accessKeyId, secretAccessKey } = data.credentials;
  const ofState = outputs.filter(({ stack }) => stack.endsWith('-State'));
  return {
    region,
    credentials: { accessKeyId, secretAccessKey },
    endpoints: {
      dynamodb: endpoint,
      s3: s3Endpoint,
      kms: kmsEndpoint,
      eventbridge: eventBusEndpoint,
      cognito: issuer.url,
    },
    outputs: Object.fromEntries(ofState.map(({ name, value }) => [name, value])),
  };
}
