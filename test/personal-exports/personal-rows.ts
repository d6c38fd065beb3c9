import { accepted, type PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ call }) => {
  await accepted(call('POST', '/users/me/exports'));
};
