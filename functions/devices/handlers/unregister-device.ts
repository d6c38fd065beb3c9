import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { unregisterDevice } from '../routes.ts';
import { unregister } from '../workflows/registration.ts';

export const handler = serve(unregisterDevice)(async ({ params: { deviceId }, caller: { userId }, tables }) => {
  await unregister({ dynamo: dynamo(), sns: sns() }, tables, { userId, deviceId });
  return { success: true, deviceId, registered: false as const };
});

await initialize(unregisterDevice);
