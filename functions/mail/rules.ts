export { effectOf, leftBy, type SecureLink, withFormer } from './rules/secure-link.ts';
