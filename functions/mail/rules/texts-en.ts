import type { MailTexts } from './mail-text.ts';

const ignore =
  'If you did not ask for this, ignore this mail: nothing happens without the code. Give the code to nobody.';
const notYou = [
  'If this was not you, open this page. Its button signs out all devices and ends the password. Then choose a new one with "Forgot password" in the app, and contact support. The link works for 24 hours:',
  '{link}',
];

export const en: MailTexts = {
  ending: 'This mail is from {sender}. Questions? {contact}',
  onBoard:
    'We sent a mail about it. It says what to do if this was not you. If you do not get the mail, contact support.',
  kinds: {
    'sign-up': {
      subject: 'Your code to sign up',
      paragraphs: [
        'Enter this code in the app to finish your sign-up:',
        '{code}',
        'It is valid for 10 minutes.',
        ignore,
      ],
    },
    'sign-up-known': {
      subject: 'You already have an account',
      paragraphs: [
        'Somebody wanted to sign up with this e-mail address. You have an account with it already.',
        'Sign in with your password, or choose "Forgot password" in the app. If it was not you, there is nothing to do.',
      ],
    },
    'address-held': {
      subject: 'This e-mail address is free in a few days',
      paragraphs: [
        'Somebody wanted to use this e-mail address for an account. It was the address of another account until a few days ago. For 7 days that account can have it back, and no other account can use it.',
        'If that account is yours and you did not change its address, use the link of our mail "Your e-mail address was changed".',
      ],
    },
    'password-reset': {
      subject: 'Your code for a new password',
      paragraphs: [
        'Enter this code in the app and choose a new password:',
        '{code}',
        'It is valid for 10 minutes.',
        ignore,
      ],
    },
    'password-reset-disabled': {
      subject: 'Your account is disabled',
      paragraphs: [
        'Somebody asked for a new password for your account. The account is disabled, so nobody can sign in to it, and there is no code.',
        'To use it again, contact support. If you did not ask for this, there is nothing to do.',
      ],
    },
    'password-changed': {
      subject: 'Your password was changed',
      paragraphs: ['The password of your account was changed, and other devices were signed out.', ...notYou],
    },
    'email-change': {
      subject: 'Your code to confirm this e-mail address',
      paragraphs: [
        'Enter this code in the app to use this e-mail address for your account:',
        '{code}',
        'It is valid for 10 minutes.',
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
      // Not `notYou`: without the link this address cannot reset the password any more.
      paragraphs: [
        'Your account has another e-mail address from now on. You sign in with the new one.',
        'If this was not you, open this page. Its button gives your account this address back, signs out all devices and ends the password. Then choose a new one with "Forgot password" in the app, and contact support. The link works for 7 days:',
        '{link}',
      ],
    },
    'address-restored': {
      subject: 'Your account has its former address again',
      paragraphs: [
        'Somebody took back the change of the e-mail address of your account, with a link that went to the former address. The account does not have this address any more, and all devices were signed out.',
        'If this was not you, contact support at once.',
      ],
    },
    'account-secured': {
      subject: 'Your account is secured',
      paragraphs: [
        'Somebody said, with a link from one of our mails: "This was not me". All devices were signed out, and the password does not work any more.',
        'Choose a new password with "Forgot password" in the app. If the app then asks for a code that you do not have, contact support.',
      ],
    },
    'new-device': {
      subject: 'A new sign-in to your account',
      paragraphs: [
        'There was a new sign-in to your account on {at}: {device}.',
        'If this was you, there is nothing to do.',
        ...notYou,
      ],
    },
    'codes-refused': {
      subject: 'Wrong codes for your account',
      paragraphs: [
        'On {at} somebody entered your password and then wrong codes of the authenticator app, several times.',
        'If this was you, there is nothing to do.',
        ...notYou,
      ],
    },
    'session-reused': {
      subject: 'A device was signed out for safety',
      paragraphs: [
        'The sign-in of this device was used a second time on {at}, probably as a copy: {device}. So it is signed out now.',
        'Somebody else may have used your account. Sign in again on your device, and change your password.',
        ...notYou,
      ],
    },
    'second-factor-changed': {
      subject: 'Your second factor was changed',
      paragraphs: ['The authenticator app of your account was set up or removed.', ...notYou],
    },
    'recovery-codes-issued': {
      subject: 'New recovery codes',
      paragraphs: [
        'New recovery codes were issued for your account. Earlier codes do not work any more.',
        'If this was you, there is nothing to do.',
        ...notYou,
        'Then issue new recovery codes in the app: these work until you do.',
      ],
    },
    'rights-given': {
      subject: 'Your account was used to give rights',
      paragraphs: [
        'Your account was used to invite or enable somebody, or to give somebody a role. It is about {member}. Roles: {roles}.',
        'If this was you, there is nothing to do.',
        ...notYou,
        'Then tell another administrator, who can disable the account that got the rights.',
      ],
    },
    'recovery-code-used': {
      subject: 'A recovery code was used',
      paragraphs: [
        'The authenticator app of your account was removed with your password and a recovery code. Codes that are left: {left}.',
        'If this was you, set up a new authenticator app now.',
        ...notYou,
      ],
    },
    'data-shared': {
      subject: 'You share your data with your clinic',
      paragraphs: [
        'On {at} your consent was recorded: those who treat you at your clinic may see your data.',
        'You can revoke it in the app at any time. The app also shows who looked at your data, and when.',
        'If this was not you, revoke the consent in the app, change your password and contact support.',
      ],
    },
    'study-joined': {
      subject: 'You take part in a study',
      paragraphs: [
        'On {at} it was recorded that you take part in a study: its researchers may get your data, without your name.',
        'The app shows your studies. You can leave each of them there at any time.',
        'If this was not you, leave the study in the app, change your password and contact support.',
      ],
    },
    'deletion-requested': {
      subject: 'Your account will be deleted',
      paragraphs: [
        'The deletion of your account was asked for in the app, and all devices were signed out.',
        'Until {until} you can sign in and take it back. After that the account and its data are deleted.',
        'If this was not you, sign in now, take the deletion back and change your password. If you cannot sign in, contact support before that time.',
      ],
    },
    'deletion-requested-for-you': {
      subject: 'Your account will be deleted',
      paragraphs: [
        'Our staff asked on your behalf for the deletion of your account, and all devices were signed out.',
        'Until {until} you can sign in and take it back. After that the account and its data are deleted.',
        'If you did not want this, sign in and take the deletion back, or contact support before that time.',
      ],
    },
    'deletion-taken-back': {
      subject: 'Your account stays',
      paragraphs: ['The deletion of your account was taken back. Consents that ended with it stay ended.', ...notYou],
    },
    'account-disabled': {
      subject: 'Your account was disabled',
      paragraphs: [
        'An administrator has disabled your account, and all devices were signed out. Nobody can sign in to it; your data is kept.',
        'If you do not know why, contact support.',
      ],
    },
    'account-enabled': {
      subject: 'Your account is open again',
      paragraphs: [
        'An administrator has enabled your account. You can sign in with your password.',
        'If you did not ask for this, contact support.',
      ],
    },
    'staff-invitation': {
      subject: 'You are invited',
      paragraphs: [
        'You are invited to work in the physicians’ application.',
        'Clinic: {clinic}',
        'Who invites you: {inviter}',
        'Open this link:',
        '{link}',
        'Enter your e-mail address, a code and a password of your own. An administrator tells you the code, by telephone or face to face.',
        'The link and the code are valid for 24 hours. Later, ask an administrator for new ones.',
        'If you do not know why you get this, ignore this mail. Give the link and the code to nobody.',
      ],
    },
    'staff-reset': {
      subject: 'Your access was reset',
      paragraphs: [
        'An administrator has reset your password and your authenticator app.',
        'Who did it: {inviter}',
        'Open this link:',
        '{link}',
        'Enter your e-mail address, a code and a new password. An administrator tells you the code, by telephone or face to face.',
        'The link and the code are valid for 24 hours. At the next sign-in you set up a new authenticator app.',
        'If you did not ask for this, contact your administrators. Give the link and the code to nobody.',
      ],
    },
  },
};
