import { roles } from '../../product.ts';

/**
 * The words of the product and of who uses it, in both languages: no password consists of them (decision 55, ASVS 6.2.11). Roles are
 * among them, since they name test accounts and documentation.
 */
export const productWords: readonly string[] = [
  ...['sleepcare', 'sleep', 'care', 'medinfo', 'medical', 'information', 'mobile', 'health', 'backend', 'app'],
  ...['schlaf', 'schlafen', 'gesundheit', 'insomnia', 'clinic', 'klinik', 'doctor', 'doktor', 'therapy', 'therapie'],
  ...['password', 'passwort', 'kennwort', 'welcome', 'willkommen', 'login', 'anmeldung', 'user', 'test'],
  ...roles,
];
