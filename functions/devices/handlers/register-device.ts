import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { registerDevice } from '../routes.ts';
import { shownHash } from '../rules/device.ts';
import { NoToken } from '../stores/endpoints.ts';
import { deleteLeft, type Outcome, readKnown, register } from '../workflows/registration.ts';

export const handler = serveWithPrefetch(registerDevice)({
  prefetch: ({ params: { deviceId }, body: registration, caller: { userId }, tables }) =>
    readKnown(tables, { userId, deviceId, registration }),
  respond: async (input, known) => {
    const { params, body, caller, now, tables, platformApplications: applications, count, fail } = input;
    const wanted = { userId: caller.userId, deviceId: params.deviceId, registration: body, applications, now, known };
    const clients = { sns: sns() };
    let outcome: Outcome;
    try {
      outcome = await register(clients, tables, wanted);
    } catch (error) {
      if (!(error instanceof NoToken)) throw error;
      const message = `must be a token of ${body.platform === 'ios' ? 'APNs' : 'FCM'}`;
      return fail(ValidationFailed, { issues: [{ in: 'body', path: 'token', code: 'invalid_value', message }] });
    }
    const { device, isApplicationMissing, left, displaced } = outcome;
    if (isApplicationMissing) count('platformApplicationMissing');
    // Committed without them: that they are still there harms nobody.
    await deleteLeft(clients, tables, left).catch((error: unknown) => count('endpointLeftBehind', error));
    return { ...device, tokenHash: shownHash(device.tokenHash), replacedDeviceIds: displaced };
  },
});
