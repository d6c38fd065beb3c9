import { accepted, type PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ call }) => {
  await accepted(call('POST', '/agreements/versions/research-data-1.0/agree'));
  await accepted(call('GET', '/users/agreements/research-data/receipt'));
};
