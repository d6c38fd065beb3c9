export * as consumers from './consumers.ts';
