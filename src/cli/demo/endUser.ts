import type { EmulatorControl } from '../../emulator';

const PIN = '123456';
const WRONG_PIN = '654321';
const NEW_PIN = '135790';
const QUESTIONS = [
  { question: 'First pet?', answer: 'Rex' },
  { question: 'First school?', answer: 'Hill' },
];

/** What a user enters, by what the challenge needs. */
const ENTRIES: Readonly<Record<string, object>> = {
  pin: { pin: PIN },
  questions: { questions: QUESTIONS },
  answers: { answers: QUESTIONS.map(({ answer }) => answer) },
};

/** What a login gives to the user's app, which hands it to the flow. */
interface Login {
  userToken: string;
  encryptionKey: string;
  refreshToken: string;
}

interface Mail {
  to: string;
  code: string;
  otpToken: string;
  deviceToken: string;
}

/** What the emulator's page shows of these. */
interface Overview {
  mails: { shown: Mail[] };
  devices: { shown: { deviceToken: string }[]; count: number };
}

/** The people on the other side, played through the emulator's controls: what they do in an app, and in their mailbox. */
export class EndUser {
  constructor(private readonly world: EmulatorControl) {}

  /** Enters whatever the challenge needs. */
  async approve(challengeId: string): Promise<void> {
    const { challenges } = await this.world.call<{ challenges: { id: string; type: string; needs: string[] }[] }>(
      'GET',
      '/challenges',
    );
    const challenge = challenges.find(({ id }) => id === challengeId);
    if (!challenge) throw new Error(`The emulator has no challenge ${challengeId}`);
    const newPin = challenge.type === 'CHANGE_PIN' ? NEW_PIN : PIN;
    const entries = challenge.needs.map((need) => (need === 'newPin' ? { newPin } : ENTRIES[need]));
    await this.world.call('POST', `/challenges/${challengeId}/approve`, Object.assign({}, ...entries));
  }

  /** Enters a wrong PIN as often as that is possible. */
  async lockPin(challengeId: string): Promise<void> {
    for (let entry = 1; entry <= 3; entry++) {
      await this.world.call('POST', `/challenges/${challengeId}/approve`, { pin: WRONG_PIN }).catch(() => {});
    }
  }

  /** Lets a challenge lie until its time is over. */
  async letExpire(challengeId: string): Promise<void> {
    await this.world.call('POST', `/challenges/${challengeId}/expire`);
  }

  /** The newest first. */
  async mailsTo(address: string): Promise<Mail[]> {
    return (await this.overview()).mails.shown.filter(({ to }) => to === address);
  }

  /** Enters the one-time password of a mail. */
  async enter({ code, otpToken, deviceToken }: Mail): Promise<Login> {
    return login(await this.world.call<Login>('POST', '/otp/verify', { otpToken, deviceToken, otp: code }));
  }

  /** Whether an app waits for a login at an SSO provider. */
  async isToLogIn(): Promise<boolean> {
    return (await this.overview()).devices.count > 0;
  }

  /** Comes back from an SSO provider to the app that waits for it. */
  async comeFrom(provider: string, account: string): Promise<Login> {
    const deviceToken = (await this.overview()).devices.shown[0]?.deviceToken;
    return login(await this.world.call<Login>('POST', '/socialLogin', { deviceToken, provider, account }));
  }

  private overview(): Promise<Overview> {
    return this.world.call<Overview>('GET', '/overview');
  }
}

const login = ({ userToken, encryptionKey, refreshToken }: Login): Login => ({
  userToken,
  encryptionKey,
  refreshToken,
});
