/** MD5 (RFC 1321), because the verification-code call is signed with it. Not for anything secret. */

const SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;

/** Lower-case hex MD5 of a text's UTF-8 bytes. */
export function md5(text: string): string {
  const words = pad(new TextEncoder().encode(text));
  let [a, b, c, d] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let block = 0; block < words.length; block += 16) {
    const before = [a, b, c, d] as const;
    for (let i = 0; i < 64; i++) {
      const round = i >> 4;
      const [mix, word] = step(round, i, b, c, d);
      const sine = Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32);
      const sum = (a + mix + sine + words[block + word]!) | 0;
      const shift = SHIFTS[round]![i & 3]!;
      [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
    }
    [a, b, c, d] = [(a + before[0]) | 0, (b + before[1]) | 0, (c + before[2]) | 0, (d + before[3]) | 0];
  }
  return [a, b, c, d].map(hex).join("");
}

/** The round's mixing function and the word it takes. */
function step(round: number, i: number, b: number, c: number, d: number): readonly [number, number] {
  switch (round) {
    case 0:
      return [(b & c) | (~b & d), i];
    case 1:
      return [(d & b) | (~d & c), (5 * i + 1) % 16];
    case 2:
      return [b ^ c ^ d, (3 * i + 5) % 16];
    default:
      return [c ^ (b | ~d), (7 * i) % 16];
  }
}

/** The message as little-endian words, padded to whole blocks and closed with its length in bits. */
function pad(bytes: Uint8Array): Int32Array {
  const blocks = ((bytes.length + 8) >> 6) + 1;
  const words = new Int32Array(blocks * 16);
  bytes.forEach((byte, i) => {
    words[i >> 2]! |= byte << ((i % 4) * 8);
  });
  words[bytes.length >> 2]! |= 0x80 << ((bytes.length % 4) * 8);
  words[blocks * 16 - 2] = bytes.length * 8;
  return words;
}

/** A word's four bytes, lowest first. */
function hex(word: number): string {
  let text = "";
  for (let i = 0; i < 4; i++) text += ((word >>> (i * 8)) & 0xff).toString(16).padStart(2, "0");
  return text;
}
