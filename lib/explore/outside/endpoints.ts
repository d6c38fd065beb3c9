import { type Act, fresh, OutsideFailure, text } from './state.ts';

/** SNS: endpoints of devices, what is published to them, and the notices to operators. */

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
    const known = Object.entries(state.endpoints).find(
      ([arn, endpoint]) => arn.startsWith(`${prefix}/`) && endpoint.token === token,
    );
    if (known) {
      if (known[1].enabled) return { EndpointArn: known[0] };
      const sentence = `Invalid parameter: Token Reason: Endpoint ${known[0]} already exists with the same Token, but different attributes.`;
      throw new OutsideFailure('InvalidParameterException', sentence);
    }
    const arn = `${prefix}/${fresh(state, 'endpoint')}`;
    state.endpoints[arn] = { token, enabled: true };
    return { EndpointArn: arn };
  },
  GetEndpointAttributes: (state, input) => {
    const endpoint = state.endpoints[text(input, 'EndpointArn')];
    if (!endpoint) throw new OutsideFailure('NotFoundException', 'Endpoint does not exist');
    return { Attributes: { Token: endpoint.token, Enabled: String(endpoint.enabled) } };
  },
  SetEndpointAttributes: (state, input) => {
    const arn = text(input, 'EndpointArn');
    const endpoint = state.endpoints[arn];
    if (!endpoint) throw new OutsideFailure('NotFoundException', 'Endpoint does not exist');
    const { Token = endpoint.token, Enabled } = (input.Attributes ?? {}) as { Token?: string; Enabled?: string };
    const platform = arn.slice(0, arn.lastIndexOf('/'));
    const other = Object.entries(state.endpoints).find(
      ([each, { token }]) => each !== arn && each.startsWith(`${platform}/`) && token === Token,
    );
    if (other) {
      const sentence = `Invalid parameter: Token Reason: Endpoint ${other[0]} already exists with the same Token, but different attributes.`;
      throw new OutsideFailure('InvalidParameterException', sentence);
    }
    state.endpoints[arn] = { token: Token, enabled: Enabled === undefined ? endpoint.enabled : Enabled === 'true' };
    return {};
  },
  DeleteEndpoint: (state, input) => {
    delete state.endpoints[text(input, 'EndpointArn')];
    return {};
  },
};
