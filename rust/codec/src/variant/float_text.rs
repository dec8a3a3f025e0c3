//! The text of floats as engines write it: the digits of the algorithm Grisu2 (Loitsch, "Printing Floating-Point Numbers
//! Quickly and Accurately with Integers", 2010), which are not always the shortest or the nearest.

use alloc::string::String;
use core::fmt::Write;

/// The significand of each eighth power of ten from 10^-300 on, rounded to 64 bits.
#[rustfmt::skip]
const POWERS: [u64; 79] = [
    0xAB70_FE17_C79A_C6CA, 0xFF77_B1FC_BEBC_DC4F, 0xBE56_91EF_416B_D60C, 0x8DD0_1FAD_907F_FC3C, 0xD351_5C28_3155_9A83,
    0x9D71_AC8F_ADA6_C9B5, 0xEA9C_2277_23EE_8BCB, 0xAECC_4991_4078_536D, 0x823C_1279_5DB6_CE57, 0xC210_9436_4DFB_5637,
    0x9096_EA6F_3848_984F, 0xD774_85CB_2582_3AC7, 0xA086_CFCD_97BF_97F4, 0xEF34_0A98_172A_ACE5, 0xB238_67FB_2A35_B28E,
    0x84C8_D4DF_D2C6_3F3B, 0xC5DD_4427_1AD3_CDBA, 0x936B_9FCE_BB25_C996, 0xDBAC_6C24_7D62_A584, 0xA3AB_6658_0D5F_DAF6,
    0xF3E2_F893_DEC3_F126, 0xB5B5_ADA8_AAFF_80B8, 0x8762_5F05_6C7C_4A8B, 0xC9BC_FF60_34C1_3053, 0x964E_858C_91BA_2655,
    0xDFF9_7724_7029_7EBD, 0xA6DF_BD9F_B8E5_B88F, 0xF8A9_5FCF_8874_7D94, 0xB944_7093_8FA8_9BCF, 0x8A08_F0F8_BF0F_156B,
    0xCDB0_2555_6531_31B6, 0x993F_E2C6_D07B_7FAC, 0xE45C_10C4_2A2B_3B06, 0xAA24_2499_6973_92D3, 0xFD87_B5F2_8300_CA0E,
    0xBCE5_0864_9211_1AEB, 0x8CBC_CC09_6F50_88CC, 0xD1B7_1758_E219_652C, 0x9C40_0000_0000_0000, 0xE8D4_A510_0000_0000,
    0xAD78_EBC5_AC62_0000, 0x813F_3978_F894_0984, 0xC097_CE7B_C907_15B3, 0x8F7E_32CE_7BEA_5C70, 0xD5D2_38A4_ABE9_8068,
    0x9F4F_2726_179A_2245, 0xED63_A231_D4C4_FB27, 0xB0DE_6538_8CC8_ADA8, 0x83C7_088E_1AAB_65DB, 0xC45D_1DF9_4271_1D9A,
    0x924D_692C_A61B_E758, 0xDA01_EE64_1A70_8DEA, 0xA26D_A399_9AEF_774A, 0xF209_787B_B47D_6B85, 0xB454_E4A1_79DD_1877,
    0x865B_8692_5B9B_C5C2, 0xC835_53C5_C896_5D3D, 0x952A_B45C_FA97_A0B3, 0xDE46_9FBD_99A0_5FE3, 0xA59B_C234_DB39_8C25,
    0xF6C6_9A72_A398_9F5C, 0xB7DC_BF53_54E9_BECE, 0x88FC_F317_F222_41E2, 0xCC20_CE9B_D35C_78A5, 0x9816_5AF3_7B21_53DF,
    0xE2A0_B5DC_971F_303A, 0xA8D9_D153_5CE3_B396, 0xFB9B_7CD9_A4A7_443C, 0xBB76_4C4C_A7A4_4410, 0x8BAB_8EEF_B640_9C1A,
    0xD01F_EF10_A657_842C, 0x9B10_A4E5_E991_3129, 0xE710_9BFB_A19C_0C9D, 0xAC28_20D9_623B_F429, 0x8044_4B5E_7AA7_CF85,
    0xBF21_E440_03AC_DD2D, 0x8E67_9C2F_5E44_FF8F, 0xD433_179D_9C8C_B841, 0x9E19_DB92_B4E3_1BA9,
];
const FIRST_POWER: i32 = -300;
const POWER_STEP: i32 = 8;

/// `significand * 2^exponent`, with the highest bit of the significand set.
#[derive(Clone, Copy)]
struct Scaled {
    significand: u64,
    exponent: i32,
}

impl Scaled {
    const fn normalized(significand: u64, exponent: i32) -> Self {
        let shift = significand.leading_zeros();
        Self { significand: significand << shift, exponent: exponent - shift.cast_signed() }
    }

    /// Multiplies, rounding half up.
    fn times(self, other: Self) -> Self {
        let product = u128::from(self.significand) * u128::from(other.significand) + (1 << 63);
        let significand = (product >> 64) as u64;
        Self { significand, exponent: self.exponent + other.exponent + 64 }
    }
}

/// Returns the power of ten that scales a number with this exponent to one with an exponent from -60 to -32, and its
/// decimal exponent.
fn power_for(exponent: i32) -> (Scaled, i32) {
    let wanted = -61 - exponent;
    let decimal = (wanted * 78913) / (1 << 18) + i32::from(wanted > 0);
    let index = (decimal - FIRST_POWER + POWER_STEP - 1) / POWER_STEP;
    let decimal = FIRST_POWER + index * POWER_STEP;
    // 217706 / 2^16 is the binary logarithm of 10.
    let scaled =
        Scaled { significand: POWERS[index.unsigned_abs() as usize], exponent: ((decimal * 217_706) >> 16) - 63 };
    (scaled, decimal)
}

/// Returns the digits of `fraction * 2^exponent` and the decimal exponent of the last one.
fn digits(fraction: u64, exponent: i32, lower_is_closer: bool) -> (String, i32) {
    let value = Scaled::normalized(fraction, exponent);
    let above = Scaled::normalized(2 * fraction + 1, exponent - 1);
    let (below, below_exponent) =
        if lower_is_closer { (4 * fraction - 1, exponent - 2) } else { (2 * fraction - 1, exponent - 1) };
    let below = Scaled { significand: below << (below_exponent - above.exponent), exponent: above.exponent };
    let (power, decimal) = power_for(above.exponent);
    let value = value.times(power);
    // The product is off by at most one unit, so the interval is narrowed by one on each side.
    let below = below.times(power).significand + 1;
    let above = above.times(power);
    generate(value.significand, below, above.significand - 1, above.exponent, -decimal)
}

fn generate(value: u64, below: u64, above: u64, exponent: i32, mut decimal: i32) -> (String, i32) {
    let shift = exponent.unsigned_abs();
    let one = 1u64 << shift;
    let mut width = above - below;
    let mut distance = above - value;
    let mut whole = above >> shift;
    let mut fraction = above & (one - 1);
    let mut power = 1u64;
    let mut count = 1;
    while whole / power >= 10 {
        power *= 10;
        count += 1;
    }
    let mut digits = String::new();
    let push = |digits: &mut String, digit: u64| digits.push(char::from(b'0' + u8::try_from(digit).unwrap_or(9)));
    while count > 0 {
        push(&mut digits, whole / power);
        whole %= power;
        count -= 1;
        let rest = (whole << shift) + fraction;
        if rest <= width {
            decimal += count;
            round(&mut digits, distance, width, rest, power << shift);
            return (digits, decimal);
        }
        power /= 10;
    }
    loop {
        fraction *= 10;
        push(&mut digits, fraction >> shift);
        fraction &= one - 1;
        decimal -= 1;
        width *= 10;
        distance *= 10;
        if fraction <= width {
            round(&mut digits, distance, width, fraction, one);
            return (digits, decimal);
        }
    }
}

/// Lowers the last digit as long as that brings the number closer to the value.
fn round(digits: &mut String, distance: u64, width: u64, mut rest: u64, unit: u64) {
    while rest < distance
        && width - rest >= unit
        && (rest + unit < distance || distance - rest > rest + unit - distance)
    {
        if let Some(last) = digits.pop() {
            digits.push(char::from(u8::try_from(last).unwrap_or(b'1') - 1));
        }
        rest += unit;
    }
}

/// Returns the text of a number in a vector or packed array: without a fraction if there is none.
pub(super) fn of_single(value: f32) -> String {
    let bits = value.to_bits();
    of(f64::from(value), u64::from(bits & 0x007F_FFFF), (bits >> 23 & 0xFF).cast_signed(), (23, 150))
}

/// The same for 64 bits. The engine shows a number that 32 bits hold exactly with the digits of 32 bits.
pub(super) fn of_double(value: f64) -> String {
    if let Some(single) = crate::float::narrow_exactly(value) {
        return of_single(single);
    }
    let bits = value.to_bits();
    let exponent = i32::try_from(bits >> 52 & 0x7FF).unwrap_or_default();
    of(value, bits & 0x000F_FFFF_FFFF_FFFF, exponent, (52, 1075))
}

fn of(value: f64, fraction: u64, exponent: i32, (bits, bias): (u32, i32)) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf".into() } else { "inf_neg".into() };
    }
    if value == 0.0 {
        return "0".into();
    }
    let (digits, last) = match exponent {
        0 => digits(fraction, 1 - bias, false),
        _ => digits(fraction | 1 << bits, exponent - bias, fraction == 0 && exponent > 1),
    };
    let mut text = String::from(if value < 0.0 { "-" } else { "" });
    place_point(&mut text, &digits, last);
    text
}

/// Writes digits as a decimal number if it has at most 15 digits before the point and 3 zeros after it, and otherwise
/// with an exponent.
fn place_point(text: &mut String, digits: &str, last: i32) {
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let point = count + last;
    let zeros = |text: &mut String, count: i32| (0..count).for_each(|_| text.push('0'));
    if last >= 0 && point <= 15 {
        text.push_str(digits);
        zeros(text, last);
    } else if 0 < point && point <= 15 {
        let (whole, fraction) = digits.split_at(point.unsigned_abs() as usize);
        text.extend([whole, ".", fraction]);
    } else if -4 < point && point <= 0 {
        text.push_str("0.");
        zeros(text, -point);
        text.push_str(digits);
    } else {
        let (first, rest) = digits.split_at(1);
        text.push_str(first);
        if !rest.is_empty() {
            text.extend([".", rest]);
        }
        let exponent = point - 1;
        let sign = if exponent < 0 { '-' } else { '+' };
        // Writing to a String does not fail.
        let _ = write!(text, "e{sign}{:02}", exponent.unsigned_abs());
    }
}
