import type { Handlers } from '../area';
import { DEVELOPERS } from '../reach';
import { signDelegateAction, signMessage, signTransaction, signTypedData } from '../signing/requests';
import { userSigning } from './userSigning';

export const signing: Handlers<'signing'> = {
  signMessage: ({ world, body }) => ({ body: { data: signMessage(world, body, DEVELOPERS) } }),
  signTypedData: ({ world, body }) => ({ body: { data: signTypedData(world, body, DEVELOPERS) } }),
  signTransaction: ({ world, body }) => ({ body: { data: signTransaction(world, body, DEVELOPERS) } }),
  signDelegateAction: ({ world, body }) => ({ body: { data: signDelegateAction(world, body, DEVELOPERS) } }),

  ...userSigning,
};
