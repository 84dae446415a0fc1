import type { Handlers } from '../http/handler';
import { signDelegateAction, signMessage, signTransaction, signTypedData } from '../signing/sign';
import { DEVELOPER_OWNED } from '../wallets/access';
import { userSigning } from './userSigning';

export const signing: Handlers<'signing'> = {
  signMessage: ({ world, body }) => ({ body: { data: signMessage(world, body, DEVELOPER_OWNED) } }),
  signTypedData: ({ world, body }) => ({ body: { data: signTypedData(world, body, DEVELOPER_OWNED) } }),
  signTransaction: ({ world, body }) => ({ body: { data: signTransaction(world, body, DEVELOPER_OWNED) } }),
  signDelegateAction: ({ world, body }) => ({ body: { data: signDelegateAction(world, body, DEVELOPER_OWNED) } }),

  ...userSigning,
};
