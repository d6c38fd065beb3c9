import { accepted, type PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ call }) => {
  await accepted(call('POST', '/agreements/versions/marketing-1.0/agree'));
};
