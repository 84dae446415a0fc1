import type { EmulatorControl } from '../../emulator';

const PIN = '123456';
const WRONG_PIN = '654321';
const NEW_PIN = '135790';
const QUESTIONS = [
  { question: 'First pet?', answer: 'Rex' },
  { question: 'First school?', answer: 'Hill' },
];

/** What the user enters, by the input that a challenge needs. */
const INPUTS: Readonly<Record<string, object>> = {
  pin: { pin: PIN },
  questions: { questions: QUESTIONS },
  answers: { answers: QUESTIONS.map(({ answer }) => answer) },
};

/** Result of a login. The user's app provides it to the flow. */
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

/** The part of the emulator's overview that is read here. */
interface Overview {
  mails: { shown: Mail[] };
  devices: { shown: { deviceToken: string }[]; count: number };
}

/** Plays the end users through the emulator's controls: what they do in an app and in their mailbox. */
export class EndUser {
  constructor(private readonly world: EmulatorControl) {}

  /** Approves a challenge with the inputs that it needs. */
  async approve(challengeId: string): Promise<void> {
    const { challenges } = await this.world.call<{ challenges: { id: string; type: string; needs: string[] }[] }>(
      'GET',
      '/challenges',
    );
    const challenge = challenges.find(({ id }) => id === challengeId);
    if (!challenge) throw new Error(`The emulator has no challenge ${challengeId}`);
    const newPin = challenge.type === 'CHANGE_PIN' ? NEW_PIN : PIN;
    const inputs = challenge.needs.map((need) => (need === 'newPin' ? { newPin } : INPUTS[need]));
    await this.world.call('POST', `/challenges/${challengeId}/approve`, Object.assign({}, ...inputs));
  }

  /** Enters a wrong PIN three times, which locks it. */
  async lockPin(challengeId: string): Promise<void> {
    for (let attempt = 1; attempt <= 3; attempt++) {
      await this.world.call('POST', `/challenges/${challengeId}/approve`, { pin: WRONG_PIN }).catch(() => {});
    }
  }

  /** Lets a challenge expire. */
  async expire(challengeId: string): Promise<void> {
    await this.world.call('POST', `/challenges/${challengeId}/expire`);
  }

  /** Newest first. */
  async mailsTo(address: string): Promise<Mail[]> {
    return (await this.overview()).mails.shown.filter(({ to }) => to === address);
  }

  /** Enters the one-time password from an email. */
  async enterOtp({ code, otpToken, deviceToken }: Mail): Promise<Login> {
    return login(await this.world.call<Login>('POST', '/otp/verify', { otpToken, deviceToken, otp: code }));
  }

  /** Whether an app waits for a social login. */
  async isLoginPending(): Promise<boolean> {
    return (await this.overview()).devices.count > 0;
  }

  /** Completes a social login for the app that waits for it. */
  async logInWith(provider: string, account: string): Promise<Login> {
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
