import { type Act, fresh, type Input, OutsideFailure, type OutsideState, text } from './state.ts';

/** SNS: endpoints of devices, what is published to them, and the notices to operators. */

const endpointOf = (state: OutsideState, input: Input) => {
  const arn = text(input, 'EndpointArn');
  const endpoint = state.endpoints[arn];
  if (!endpoint) throw new OutsideFailure('NotFoundException', 'Endpoint does not exist');
  return { arn, ...endpoint };
};
/** The endpoint of a token in a platform application. @param prefix of the application's endpoints */
const endpointWith = (state: OutsideState, prefix: string, token: string) =>
  Object.entries(state.endpoints).find(([arn, endpoint]) => arn.startsWith(`${prefix}/`) && endpoint.token === token);
const alreadyThere = (arn: string) =>
  new OutsideFailure(
    'InvalidParameterException',
    `Invalid parameter: Token Reason: Endpoint ${arn} already exists with the same Token, but different attributes.`,
  );

export const sns: Record<string, Act> = {
  Publish: (state, input) => {
    const target = text(input, 'TargetArn');
    if (!target) {
      state.notices.push(text(input, 'Message'));
      return { MessageId: fresh(state, 'notice') };
    }
    const endpoint = state.endpoints[target];
    if (!endpoint) {
      throw new OutsideFailure(
        'InvalidParameterException',
        'Invalid parameter: TargetArn Reason: No endpoint found for the target arn specified',
      );
    }
    if (!endpoint.enabled) throw new OutsideFailure('EndpointDisabledException');
    const message = text(input, 'Message');
    // A silent push shows nothing (badge_sync).
    const isVisible = /\\?"alert\\?"|\\?"notification\\?"/.test(message);
    state.pushes.push({ endpoint: target, token: endpoint.token, message, isVisible });
    return { MessageId: fresh(state, 'push') };
  },
  CreatePlatformEndpoint: (state, input) => {
    const [application, token] = [text(input, 'PlatformApplicationArn'), text(input, 'Token')];
    const prefix = application.replace(':app/', ':endpoint/');
    const [known, endpoint] = endpointWith(state, prefix, token) ?? [];
    if (known && !endpoint?.enabled) throw alreadyThere(known);
    if (known) return { EndpointArn: known };
    const arn = `${prefix}/${fresh(state, 'endpoint')}`;
    state.endpoints[arn] = { token, enabled: true };
    return { EndpointArn: arn };
  },
  GetEndpointAttributes: (state, input) => {
    const { token, enabled } = endpointOf(state, input);
    return { Attributes: { Token: token, Enabled: String(enabled) } };
  },
  SetEndpointAttributes: (state, input) => {
    const { arn, token, enabled } = endpointOf(state, input);
    const { Token = token, Enabled } = (input.Attributes ?? {}) as { Token?: string; Enabled?: string };
    const [other = arn] = endpointWith(state, arn.slice(0, arn.lastIndexOf('/')), Token) ?? [];
    if (other !== arn) throw alreadyThere(other);
    state.endpoints[arn] = { token: Token, enabled: Enabled === undefined ? enabled : Enabled === 'true' };
    return {};
  },
  DeleteEndpoint: (state, input) => {
    delete state.endpoints[text(input, 'EndpointArn')];
    return {};
  },
};
