import { consumer } from '../../lib/contract/consumer.ts';
import { read, replace } from '../../lib/contract/uses.ts';
import { Users } from '../users/tables.ts';
import { UserDirectory } from './tables.ts';

export const listUsers = consumer({
  summary: 'Puts new users of the app into the lists, and takes erased ones out',
  application: 'sleepcare',
  stream: Users,
  uses: [read(Users), read(UserDirectory), replace(UserDirectory)],
  retries: 10,
  rebuiltBy: 'rebuild-overview',
  impact: 'Staff do not find new users in the lists; a search by the address still finds them',
});
