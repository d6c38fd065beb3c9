import type { Xml } from '../xml.ts';
import { applicationIn } from './applications.ts';
import { assertArn } from './arns.ts';
import { type Application, type Endpoint, endpointsOf, freeEndpointArn } from './directory.ts';
import { flagIn, invalid, missing, notFound } from './failures.ts';
import { faultOf } from './faults.ts';
import { pageOf } from './paging.ts';
import type { Action, Service } from './service.ts';
import { entriesOf, mapOf, type Parameters } from './wire.ts';

/** Endpoints, one for a device: https://docs.aws.amazon.com/sns/latest/api/API_CreatePlatformEndpoint.html */

type Given = { token?: string; isEnabled?: boolean; customUserData?: string };

export const endpoints: Readonly<Record<string, Action>> = {
  /**
   * The same token again returns the same endpoint. With other attributes it is an error. Its message has the ARN, and
   * clients read it from there: https://docs.aws.amazon.com/sns/latest/dg/mobile-push-create-platform-endpoint.html
   *
   * Enabled is compared only if the call states it. The life cycle in SNS's developer guide (create, get the attributes,
   * set them if the endpoint is disabled) needs a create that answers for a disabled endpoint, too.
   */
  async CreatePlatformEndpoint(service, parameters) {
    const application = applicationIn(service, parameters);
    const { Token: token, CustomUserData } = parameters;
    if (token === undefined) throw missing('Token');
    assertToken(token, application);
    // If it is given twice, the value in the attributes counts.
    const given = readAttributes(mapOf(parameters, 'Attributes') ?? new Map(), application);
    const customUserData = given.customUserData ?? CustomUserData ?? '';
    assertUserData(customUserData);

    const existing = endpointsOf(service.directory, application).find((each) => each.token === token);
    if (existing) {
      const differs =
        (existing.customUserData ?? '') !== customUserData ||
        (given.isEnabled !== undefined && given.isEnabled !== existing.isEnabled);
      if (!differs) return { EndpointArn: existing.arn };
      const what = `Endpoint ${existing.arn} already exists with the same Token, but different attributes.`;
      throw invalid('Token', what);
    }
    const arn = freeEndpointArn(service.directory, application, token);
    if (!arn) throw invalid('This endpoint is already registered with a different token.');
    const last = Math.max(0, ...[...service.directory.endpoints.values()].map(({ sequence }) => sequence));
    const endpoint: Endpoint = {
      arn,
      applicationArn: application.arn,
      sequence: last + 1,
      token,
      isEnabled: given.isEnabled ?? true,
      customUserData: customUserData === '' ? null : customUserData,
    };
    service.directory.endpoints.set(arn, endpoint);
    service.emit('EndpointCreated', application, endpoint);
    service.directory.save();
    return { EndpointArn: arn };
  },

  async GetEndpointAttributes(service, parameters) {
    return { Attributes: attributesOf(endpointIn(service, parameters)) };
  },

  /** A new token does not enable a disabled endpoint: the call must set Enabled. */
  async SetEndpointAttributes(service, parameters) {
    const attributes = mapOf(parameters, 'Attributes');
    if (!attributes) throw missing('Attributes');
    const endpoint = endpointIn(service, parameters);
    const application = service.directory.applications.get(endpoint.applicationArn);
    const given = readAttributes(attributes, application);
    const before = JSON.stringify(endpoint);
    if (given.token !== undefined) endpoint.token = given.token;
    if (given.isEnabled !== undefined) endpoint.isEnabled = given.isEnabled;
    if (given.customUserData !== undefined) endpoint.customUserData = given.customUserData || null;
    if (application && JSON.stringify(endpoint) !== before) service.emit('EndpointUpdated', application, endpoint);
    service.directory.save();
    return null;
  },

  /** "This action is idempotent." */
  async DeleteEndpoint(service, parameters) {
    const { directory } = service;
    const endpoint = directory.endpoints.get(endpointArnIn(parameters));
    if (endpoint) {
      directory.endpoints.delete(endpoint.arn);
      const application = directory.applications.get(endpoint.applicationArn);
      if (application) service.emit('EndpointDeleted', application, endpoint);
      directory.save();
    }
    return null;
  },

  async ListEndpointsByPlatformApplication(service, parameters) {
    const all = endpointsOf(service.directory, applicationIn(service, parameters));
    const { page, next } = pageOf(all, parameters.NextToken);
    return {
      Endpoints: {
        member: page.map((endpoint) => ({ EndpointArn: endpoint.arn, Attributes: attributesOf(endpoint) })),
      },
      NextToken: next,
    };
  },
};

function endpointIn({ directory }: Service, parameters: Parameters): Endpoint {
  const endpoint = directory.endpoints.get(endpointArnIn(parameters));
  if (!endpoint) throw notFound('Endpoint');
  return endpoint;
}

function endpointArnIn({ EndpointArn: arn }: Parameters): string {
  if (arn === undefined) throw missing('EndpointArn');
  assertArn('EndpointArn', arn, 'endpoint');
  return arn;
}

function attributesOf({ token, isEnabled, customUserData }: Endpoint): Xml {
  const attributes = { Enabled: String(isEnabled), Token: token };
  return entriesOf(customUserData === null ? attributes : { ...attributes, CustomUserData: customUserData });
}

/** @throws InvalidParameter, before anything is changed */
function readAttributes(attributes: ReadonlyMap<string, string>, application: Application | undefined): Given {
  const given: Given = {};
  for (const [name, value] of attributes) {
    if (name === 'Token') {
      assertToken(value, application);
      given.token = value;
    } else if (name === 'Enabled') {
      given.isEnabled = flagIn(value) === 'true';
    } else if (name === 'CustomUserData') {
      assertUserData(value);
      given.customUserData = value;
    } else {
      throw invalid('Attributes', `Invalid attribute name: ${name}`);
    }
  }
  return given;
}

function assertUserData(value: string): void {
  if (Buffer.byteLength(value) <= 2048) return;
  const problem = 'Invalid value for attribute: CustomUserData: must be at most 2048 bytes long in UTF-8 encoding';
  throw invalid('Attributes', problem);
}

/** The tokens of faults.ts are valid although they are not hexadecimal. */
function assertToken(token: string, application: Application | undefined): void {
  if (token === '') throw invalid('Token', 'cannot be empty');
  if (Buffer.byteLength(token) > 8192) throw invalid('Token', 'must be at most 8192 bytes long in UTF-8 encoding');
  if (application?.platform === 'GCM' || faultOf(token) || /^[\da-f]{1,400}$/i.test(token)) return;
  throw invalid('Token', 'iOS device tokens must be no more than 400 hexadecimal characters');
}
