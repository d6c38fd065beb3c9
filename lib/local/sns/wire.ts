import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AwsFailure } from '../service/failure.ts';
import { accessKeyOf, readBody } from '../service/request.ts';
import { written, type Xml } from '../xml.ts';

/** AWS's query protocol: a form in, XML out. https://smithy.io/2.0/aws/protocols/aws-query-protocol.html */

export type Parameters = Readonly<Record<string, string>>;

export type SnsCall = {
  /** `Publish` */
  readonly action: string;
  /** As they are on the wire, `MessageAttributes.entry.1.Name` among them. */
  readonly parameters: Parameters;
  readonly accessKeyId: string;
};

const VERSION = '2010-03-31';
const NAMESPACE = `http://sns.amazonaws.com/doc/${VERSION}/`;
/** A message of 256 KB, in which each byte may be escaped, and its attributes. */
const MAX_BYTES = 1024 * 1024;

/** @throws AwsFailure */
export async function readCall(request: IncomingMessage): Promise<SnsCall> {
  const tooLarge = () => new AwsFailure('RequestEntityTooLarge', 'Request size exceeded the limit', 413);
  const body = await readBody(request, MAX_BYTES, tooLarge);
  const form = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  const { Action: action, Version: version, ...parameters } = form;
  if (!action) throw new AwsFailure('MissingAction', 'The request must contain the parameter Action.');
  if (version !== VERSION) {
    throw new AwsFailure('InvalidAction', `Could not find operation ${action} for version ${version ?? 'NO_VERSION'}`);
  }
  const accessKeyId = accessKeyOf(request);
  if (accessKeyId === null) {
    throw new AwsFailure('MissingAuthenticationToken', 'Request is missing Authentication Token', 403);
  }
  return { action, parameters, accessKeyId };
}

/** A map in an answer. */
export function entriesOf(map: Readonly<Record<string, string>>): Xml {
  return { entry: Object.entries(map).map(([key, value]) => ({ key, value })) };
}

/** A map on the wire: `Attributes.entry.1.key`, `Attributes.entry.1.value`, … Undefined if there is none. */
export function mapOf(parameters: Parameters, name: string): Map<string, string> | undefined {
  const found = new Map<string, string>();
  for (let number = 1; ; number += 1) {
    const key = parameters[`${name}.entry.${number}.key`];
    if (key === undefined) return found.size > 0 ? found : undefined;
    found.set(key, parameters[`${name}.entry.${number}.value`] ?? '');
  }
}

export function sendResult(response: ServerResponse, action: string, result: Xml | null): void {
  const requestId = randomUUID();
  const body = {
    [`${action}Response`]: {
      ...(result !== null && { [`${action}Result`]: result }),
      ResponseMetadata: { RequestId: requestId },
    },
  };
  send(response, 200, requestId, body);
}

export function sendFailure(response: ServerResponse, { code, message, status }: AwsFailure): void {
  const requestId = randomUUID();
  const Type = status < 500 ? 'Sender' : 'Receiver';
  const error = { Error: { Type, Code: code, Message: message }, RequestId: requestId };
  send(response, status, requestId, { ErrorResponse: error });
}

function send(response: ServerResponse, status: number, requestId: string, root: { [name: string]: Xml }): void {
  if (response.destroyed) return;
  const body = Buffer.from(written(root, NAMESPACE));
  const headers = { 'content-type': 'text/xml', 'content-length': body.length, 'x-amzn-requestid': requestId };
  response.writeHead(status, headers).end(body);
}
