import {
  CreatePlatformEndpointCommand,
  DeleteEndpointCommand,
  GetEndpointAttributesCommand,
  SetEndpointAttributesCommand,
  type SNSClient,
} from '@aws-sdk/client-sns';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { Failure, isUnavailable } from '../../../lib/runtime/failure.ts';

/**
 * SNS's endpoints: create, read the attributes, enable. The token of an endpoint is never changed, other than in
 * https://docs.aws.amazon.com/sns/latest/dg/mobile-push-create-platform-endpoint.html: somebody else may have taken the
 * endpoint over since. Each call can be repeated, so that a registration that ended half-way is completed by the next.
 * Where SNS throttles or is down, its error is one that the runtime answers with 503.
 */

/** The platform application itself is not there. */
export class NoApplication extends Error {
  override readonly name = 'NoApplication';
}

/** SNS takes the text for no token. */
export class NoToken extends Error {
  override readonly name = 'NoToken';
}

/** Times that an endpoint may vanish, or turn out to be another one, while it is worked on. */
const attempts = 3;

/**
 * An enabled endpoint that has the token.
 *
 * @param known the endpoint that should be it; null where there is none yet
 * @throws NoApplication, NoToken
 */
export async function enabledEndpoint(
  client: SNSClient,
  applicationArn: string,
  token: string,
  known: string | null,
): Promise<string> {
  let arn = known;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    arn ??= await create(client, applicationArn, token);
    const found = await readAttributes(client, arn);
    const isOfToken = found?.token === token;
    if (isOfToken && found.isEnabled) return arn;
    // Deleted by somebody else, or SNS gave it another token: the token gets its own endpoint.
    if (!isOfToken || !(await enable(client, arn))) arn = null;
  }
  throw new Failure(Unavailable);
}

/** What was deleted already is deleted. */
export async function deleteEndpoint(client: SNSClient, arn: string): Promise<void> {
  await answered(() => client.send(new DeleteEndpointCommand({ EndpointArn: arn })));
}

/** The same token again is the same endpoint, also where it has other attributes by now. */
async function create(client: SNSClient, applicationArn: string, token: string): Promise<string> {
  const command = new CreatePlatformEndpointCommand({ PlatformApplicationArn: applicationArn, Token: token });
  const { EndpointArn: arn } = await answered(() => client.send(command)).catch((error: unknown) => {
    const existing = existingArn(error);
    if (existing) return { EndpointArn: existing };
    if (error instanceof SnsError && error.code === 'NotFoundException') throw new NoApplication();
    throw tokenError(error);
  });
  if (!arn) throw new Error('SNS made an endpoint without an ARN');
  return arn;
}

async function readAttributes(client: SNSClient, arn: string) {
  try {
    const command = new GetEndpointAttributesCommand({ EndpointArn: arn });
    const { Attributes = {} } = await answered(() => client.send(command));
    return { token: Attributes.Token, isEnabled: Attributes.Enabled?.toLowerCase() === 'true' };
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** @returns false where it is gone */
async function enable(client: SNSClient, arn: string): Promise<boolean> {
  try {
    const Attributes = { Enabled: 'true' };
    await answered(() => client.send(new SetEndpointAttributesCommand({ EndpointArn: arn, Attributes })));
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof SnsError && error.code === 'NotFoundException';
}

/**
 * "Endpoint arn:… already exists with the same Token, but different attributes." SNS tells the ARN nowhere else; the
 * developer guide's own example reads it so.
 */
export function existingArn(error: unknown): string | null {
  if (!(error instanceof SnsError) || error.code !== 'InvalidParameterException') return null;
  return /Endpoint (arn:aws[\w-]*:sns:\S+) already exists with the same Token/i.exec(error.sentence)?.[1] ?? null;
}

function tokenError(error: unknown): unknown {
  const isToken =
    error instanceof SnsError &&
    error.code === 'InvalidParameterException' &&
    /^Invalid parameter: Token\b/.test(error.sentence);
  return isToken ? new NoToken() : error;
}

/** A refusal by SNS. Its message may quote the request, so the log gets only the error's name. */
export class SnsError extends Error {
  override readonly name: string;
  readonly code: string;
  readonly sentence: string;

  constructor(code: string, sentence: string) {
    super();
    this.name = `Sns${code}`;
    this.code = code;
    this.sentence = sentence;
  }
}

async function answered<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isUnavailable(error) && error instanceof Error && '$fault' in error)
      throw new SnsError(error.name, error.message);
    throw error;
  }
}
