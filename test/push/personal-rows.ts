import type { PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ userId, put }) => {
  await put('PushDeliveries', { delivery: `${userId}#event#phone`, status: 'sent' });
};
