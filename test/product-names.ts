/** Products of the first catalogue. */
export const STICK_BAIT = 'Slow Sinking Stick Bait (180mm/150G)'
export const POPPER_150 = 'Chisel Nose Popper 150mm/30G'
export const POPPER_200 = 'Chisel Nose Popper 200mm/50G'
