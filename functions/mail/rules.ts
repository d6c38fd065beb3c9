export { effectOf, type SecureLink, withFormer } from './rules/secure-link.ts';
