// Soft sounds, synthesised here and off by default: a stone, a card, a coin, a bell for the player's turn.
"use strict";
(() => {
  const root = document.documentElement;
  let audio = null, mine = null;

  // A fading tone: pitch, length, volume, delay and waveform.
  function tone(pitch, long, loud, wait = 0, kind = "sine", falls = 1) {
    const at = audio.currentTime + wait, source = audio.createOscillator(), volume = audio.createGain();
    source.type = kind;
    source.frequency.setValueAtTime(pitch, at);
    source.frequency.exponentialRampToValueAtTime(pitch * falls, at + long);
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(loud, at + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + long);
    source.connect(volume).connect(audio.destination);
    source.start(at);
    source.stop(at + long);
  }
  // A rustle: noise through a band.
  function rustle(pitch, long, loud, wait = 0) {
    const at = audio.currentTime + wait, noise = audio.createBufferSource(), band = audio.createBiquadFilter(), volume = audio.createGain();
    noise.buffer = audio.createBuffer(1, audio.sampleRate * long, audio.sampleRate);
    noise.buffer.getChannelData(0).forEach((_, n, all) => (all[n] = (Math.random() * 2 - 1) * (1 - n / all.length) ** 2));
    [band.type, band.frequency.value, band.Q.value, volume.gain.value] = ["bandpass", pitch, 0.9, loud];
    noise.connect(band).connect(volume).connect(audio.destination);
    noise.start(at);
  }
  const SOUNDS = {
    card: (wait) => rustle(2600, 0.16, 0.09, wait),
    stone: (wait) => (rustle(420, 0.14, 0.35, wait), tone(120, 0.16, 0.16, wait, "sine", 0.6)),
    hooves: (wait) => [0, 0.11, 0.28, 0.39].forEach((beat) => rustle(800, 0.05, 0.2, wait / 3 + beat)),
    coin: (wait) => (tone(1760, 0.5, 0.03, wait), tone(2637, 0.4, 0.02, wait + 0.06)),
    turn: () => (tone(659, 0.9, 0.05), tone(988, 1.1, 0.03, 0.12)),
    over: () => [392, 494, 587, 784].forEach((pitch, n) => tone(pitch, 1.6, 0.04, n * 0.16)),
  };

  function ready() {
    if (root.dataset.sounds !== "on" || !window.AudioContext) return false;
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
    return true;
  }
  const whose = () => (document.querySelector("#table.is-over") ? "over" : document.querySelector("#table.my-turn, #table.my-choice") ? "turn" : "");
  document.addEventListener("moved", ({ detail: { sounds, ms } }) => {
    const now = whose(), was = mine ?? now;
    mine = now;
    if (!ready()) return;
    for (const sound of sounds) SOUNDS[sound]?.((ms / 1000) * 0.6);
    if (now !== was) SOUNDS[now]?.();
  });
  document.addEventListener("preferred", ({ detail }) => detail === "sounds" && ready() && SOUNDS.turn());
})();
