import type { MailTexts } from './mail-text.ts';

const ignore =
  'If you did not ask for this, ignore this mail: nothing happens without the code. Give the code to nobody.';
const notYou = 'If this was not you, reset your password in the app now and contact support.';

export const en: MailTexts = {
  'sign-up': {
    subject: 'Your code to sign up',
    paragraphs: ['Enter this code in the app to finish your sign-up:', '{code}', 'It is valid for 15 minutes.', ignore],
  },
  'sign-up-known': {
    subject: 'You already have an account',
    paragraphs: [
      'Somebody wanted to sign up with this e-mail address. You have an account with it already.',
      'Sign in with your password, or choose "Forgot password" in the app. If it was not you, there is nothing to do.',
    ],
  },
  'password-reset': {
    subject: 'Your code for a new password',
    paragraphs: [
      'Enter this code in the app and choose a new password:',
      '{code}',
      'It is valid for 15 minutes.',
      ignore,
    ],
  },
  'password-changed': {
    subject: 'Your password was changed',
    paragraphs: ['The password of your account was changed, and other devices were signed out.', notYou],
  },
  'email-change': {
    subject: 'Your code to confirm this e-mail address',
    paragraphs: [
      'Enter this code in the app to use this e-mail address for your account:',
      '{code}',
      'It is valid for 15 minutes.',
      ignore,
    ],
  },
  'email-change-taken': {
    subject: 'This e-mail address is in use already',
    paragraphs: [
      'Somebody wanted to use this e-mail address for another account. It belongs to your account and stays there.',
      'If it was not you, there is nothing to do.',
    ],
  },
  'email-changed': {
    subject: 'Your e-mail address was changed',
    // No `notYou`: this address cannot reset the password any more.
    paragraphs: [
      'Your account has another e-mail address from now on. You sign in with the new one.',
      'If this was not you, contact support at once.',
    ],
  },
  'new-device': {
    subject: 'A new device signed in',
    paragraphs: [
      'Your account was signed in to on a device that is new to us: {device}.',
      'If this was you, there is nothing to do.',
      notYou,
    ],
  },
  'second-factor-changed': {
    subject: 'Your second factor was changed',
    paragraphs: ['The authenticator app of your account was set up or removed.', notYou],
  },
  'recovery-codes-issued': {
    subject: 'New recovery codes',
    paragraphs: [
      'New recovery codes were issued for your account. Earlier codes do not work any more.',
      'If this was you, there is nothing to do.',
      notYou,
    ],
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    paragraphs: [
      'The authenticator app of your account was removed with your password and a recovery code. Codes that are left: {left}.',
      'If this was you, set up a new authenticator app now.',
      notYou,
    ],
  },
  'staff-invitation': {
    subject: 'You are invited',
    paragraphs: [
      'You are invited to work in the physicians’ application. Open it, choose "Accept invitation", and enter your e-mail address, this code and a password of your own:',
      '{code}',
      'It is valid for three days.',
      'If you do not know why you get this, ignore this mail. Give the code to nobody.',
    ],
  },
  'staff-reset': {
    subject: 'Your access was reset',
    paragraphs: [
      'An administrator has reset your password and your authenticator app. Open the physicians’ application, choose "Accept invitation", and enter your e-mail address, this code and a new password:',
      '{code}',
      'It is valid for three days. At the next sign-in you set up a new authenticator app.',
      'If you did not ask for this, contact your administrators. Give the code to nobody.',
    ],
  },
};
